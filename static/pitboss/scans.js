// Scanning papers out of a drop box: a code that was read turns its tile green. The text field below is what is sent, so
// that codes can be entered by hand as well, and without script.
(() => {
  "use strict";

  const setUpPapers = (form) => {
    const scan = form.querySelector("[data-scan]");
    const list = form.querySelector("[data-codes]");
    const said = form.querySelector("[data-scan-said]");
    const tiles = [...form.querySelectorAll("[data-code]")];
    const codes = () =>
      list.value
        .toUpperCase()
        .split(/[\s,]+/)
        .filter(Boolean);

    const show = () => {
      const found = codes();
      for (const tile of tiles) {
        tile.setAttribute("aria-pressed", String(found.includes(tile.dataset.code)));
      }
      const here = tiles.filter((tile) => found.includes(tile.dataset.code)).length;
      said.textContent = `${here} of ${tiles.length} expected scanned, ${found.length} in all`;
    };

    const put = (found) => {
      list.value = found.join(" ");
      list.dispatchEvent(new Event("input", { bubbles: true }));
      show();
    };

    // A scanner types the code and ends it with Enter, which must not send the form.
    scan.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      const code = scan.value.trim().toUpperCase();
      scan.value = "";
      if (!code) return;
      if (codes().includes(code)) {
        said.textContent = `${code} was already scanned. List a second copy with this code below.`;
        return;
      }
      put([...codes(), code]);
    });
    for (const tile of tiles) {
      tile.addEventListener("click", () => {
        const { code } = tile.dataset;
        const found = codes();
        put(found.includes(code) ? found.filter((each) => each !== code) : [...found, code]);
      });
    }
    list.addEventListener("input", show);
    form.addEventListener("pitboss:restored", show);
    show();
  };

  const setUpAll = (within) => {
    const forms = [...within.querySelectorAll("[data-papers]")];
    if (within.matches?.("[data-papers]")) forms.push(within);
    for (const form of forms) {
      if (form.dataset.ready) continue;
      form.dataset.ready = "1";
      setUpPapers(form);
    }
  };

  document.addEventListener("htmx:load", (event) => setUpAll(event.detail.elt));
  setUpAll(document);
})();
