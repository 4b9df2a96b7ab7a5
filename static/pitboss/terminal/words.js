// The words of a terminal, in the language that it was set to. What has no words there is said in English.
(() => {
  "use strict";
  const LANGUAGE = "pitboss-language";
  const ENGLISH = "en";
  const catalogs = JSON.parse(document.getElementById("catalogs").textContent);
  // Each language of the terminal, by its own name.
  const names = JSON.parse(document.getElementById("languages").textContent);

  const language = () => (names[localStorage.getItem(LANGUAGE)] ? localStorage.getItem(LANGUAGE) : ENGLISH);
  const word = (english) => catalogs[language()]?.[english] ?? english;
  // A sentence, what is filled in numbered: t`Pay ${amount}.` is "Pay {0}." in the catalog.
  const t = (parts, ...values) =>
    word(parts.reduce((said, part, at) => `${said}{${at - 1}}${part}`)).replace(/\{(\d+)\}/g, (_, at) => String(values[at]));

  // What stands on the page before anything is drawn.
  const sayPage = () => {
    document.documentElement.lang = language();
    for (const each of document.querySelectorAll("[data-words]")) each.textContent = word(each.dataset.words);
    for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", word(each.dataset.label));
  };
  const hearers = [];
  const setLanguage = (code) => {
    localStorage.setItem(LANGUAGE, code);
    sayPage();
    for (const hear of hearers) hear();
  };
  // The scripts wait for the page, so it is there.
  sayPage();

  window.PitWords = { t, word, language, setLanguage, names, onLanguage: (hear) => hearers.push(hear) };
})();
