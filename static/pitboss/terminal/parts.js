// What a terminal draws with: elements, money, cards, cheques, verdict shapes, a keypad, a pad for badge and PIN.
(() => {
  "use strict";
  const { t, word } = window.PitWords;
  const SVG = "http://www.w3.org/2000/svg";
  const SUITS = { s: ["♠", () => t`spades`], h: ["♥", () => t`hearts`], c: ["♣", () => t`clubs`], d: ["♦", () => t`diamonds`] };
  const RANKS = "A23456789TJQK";
  const RANK_WORDS = { A: () => t`ace`, T: () => "10", J: () => t`jack`, Q: () => t`queen`, K: () => t`king` };

  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
  };
  const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  // Put new content in place of old; what had focus keeps it, by the name it was given in data-k.
  const draw = (root, ...content) => {
    const focused = root.contains(document.activeElement) ? document.activeElement.dataset.k : null;
    root.replaceChildren(...content.flat(Infinity).filter(Boolean));
    if (focused) root.querySelector(`[data-k="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  };

  const icon = (name) => s("svg", { class: "ico", "aria-hidden": "true" }, s("use", { href: `${document.body.dataset.icons}#${name}` }));

  const money = (cents) => {
    const whole = Math.floor(Math.abs(cents) / 100).toLocaleString("en-US");
    const rest = Math.abs(cents) % 100;
    return `${cents < 0 ? "−" : ""}$${whole}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
  };

  const cap = (words) => words.charAt(0).toUpperCase() + words.slice(1);

  const rankOf = (code) => (code[0] === "T" ? "10" : code[0]);
  // A card may be told by its rank alone; no suit is drawn then.
  const rankWord = (code) => RANK_WORDS[code[0]]?.() ?? code[0];
  const cardName = (code) => (code[1] ? t`${rankWord(code)} of ${SUITS[code[1]][1]()}` : rankWord(code));
  const isRed = (code) => code[1] === "h" || code[1] === "d";
  const card = (code, attributes = {}) =>
    h("span", { class: `pc pc--m${isRed(code) ? " pc--red" : ""}`, role: "img", "aria-label": cardName(code), ...attributes },
      h("b", { "aria-hidden": "true" }, rankOf(code)), code[1] ? h("i", { "aria-hidden": "true" }, SUITS[code[1]][0]) : null);

  // What a drawing is called by whoever reads it out.
  const said = (words) => h("span", { class: "sr" }, words);

  // All 52, a tap each.
  const cardGrid = (pick, label = t`Cards`) =>
    h("div", { class: "cardgrid", role: "group", "aria-label": label },
      Object.keys(SUITS).map((suit) => [...RANKS].map((rank) => {
        const code = rank + suit;
        return h("button", { type: "button", class: isRed(code) ? "is-red" : "", "data-k": code, "data-card": code, onclick: () => pick(code) },
          said(cardName(code)), h("b", { "aria-hidden": "true" }, rankOf(code)), h("i", { "aria-hidden": "true" }, SUITS[suit][0]));
      })));

  let colours = new Map();
  const setCheques = (cheques) => { colours = new Map(cheques.map((each) => [each.cents, each])); };
  // A cheque beyond the main set is its set times this, and its face in cents.
  const faceOf = (cents) => Number(cents) % 100_000_000;
  const look = (cents) => {
    const known = colours.get(Number(cents));
    return known ? `q-${known.colour}${known.spots ? ` e-${known.spots}` : ""}` : "";
  };
  const named = (cents) => {
    const known = colours.get(Number(cents));
    return known ? `${word(known.colour)}${known.spots ? ` ${known.letters}` : ""}` : "";
  };
  const cheque = (cents, size = "") =>
    h("span", { class: `chq ${look(cents)}${size ? ` chq--${size}` : ""}`, "aria-hidden": "true" }, colours.get(Number(cents))?.face ?? "");

  // A pile as it stands on the layout: one bar a cheque, in its own colour.
  const pile = (cents, count) => {
    const shown = Math.min(count, 20);
    const height = shown * 7 + 3;
    return s("svg", { class: `pile ${look(cents)}`, viewBox: `0 0 52 ${height}`, width: 78, height: height * 1.5, "aria-hidden": "true" },
      Array.from({ length: shown }, (_, at) => {
        const y = height - 8 - at * 7;
        return [
          s("rect", { class: "q-body", x: 1, y, width: 50, height: 6.4, rx: 2 }),
          s("rect", { class: "q-edge", x: 9, y, width: 7, height: 6.4 }),
          s("rect", { class: "q-edge", x: 36, y, width: 7, height: 6.4 }),
        ];
      }));
  };

  const byValue = (cheques) => Object.entries(cheques ?? {}).sort(([one], [other]) => faceOf(other) - faceOf(one));
  const chequeWords = (cheques) => byValue(cheques).map(([cents, count]) => `${count} ${named(cents)}`).join(", ");

  // The cheques to cut, pile by pile, with their number in words.
  const cut = (cheques, stacks) =>
    h("ul", { class: "piles-cut" }, byValue(cheques).map(([cents, count]) =>
      h("li", {},
        h("span", { class: "piles-cut__piles" }, (stacks?.[cents] ?? [count]).map((high) => pile(cents, high))),
        h("span", { class: "piles-cut__words" }, cheque(cents, "m"), h("b", {}, `${count} ${named(cents)}`),
          h("small", {}, money(faceOf(cents) * count))))));

  const SHAPES = {
    right: [["circle", { cx: 28, cy: 28, r: 26 }], "m16 29 8 8 16-18"],
    overpaid: [["path", { d: "M17 2h22l15 15v22L39 54H17L2 39V17z" }], "M28 41V16M17 26l11-11 11 11"],
    underpaid: [["path", { d: "M17 2h22l15 15v22L39 54H17L2 39V17z" }], "M28 15v25M17 30l11 11 11-11"],
    cannot_verify: [["rect", { x: 4, y: 4, width: 48, height: 48, rx: 8 }], "M21 21a7.5 7.5 0 1 1 11 6.500c-3 1.600-4 3-4 5.500M28 41v.1"],
    kept: [["path", { d: "M28 2 54 28 28 54 2 28z" }], "M28 16v14M28 39v.1"],
  };
  const shape = (name) => {
    const [[tag, body], sign] = SHAPES[name];
    return s("svg", { class: "verdict__shape", viewBox: "0 0 56 56", "aria-hidden": "true" }, s(tag, { class: "body", ...body }), s("path", { class: "sign", d: sign }));
  };

  const button = (label, act, { kind = "", k, ...more }) =>
    h("button", { type: "button", class: `btn${kind ? ` ${kind}` : ""}`, "data-k": k, onclick: act, ...more }, label);

  // One of some: each a tap, named for programs by what is chosen.
  const choice = (k, label, options, chosen, choose) =>
    h("div", { class: "choose", role: "group", "aria-label": label }, options.map((option) =>
      h("button", { type: "button", class: "btn", "aria-pressed": String(option.value === chosen), "data-k": `${k}-${option.value}`, onclick: () => choose(option.value) }, option.label)));

  const keypad = (press, label = t`Amount`) =>
    h("div", { class: "keys keys--m", role: "group", "aria-label": label }, [..."123456789", ".50", "0", "erase"].map((key) =>
      h("button", { type: "button", class: key.length > 1 ? "keys__soft" : "", "data-k": `key-${key}`, "aria-label": key === "erase" ? t`Delete last digit` : null, onclick: () => press(key) },
        key === "erase" ? icon("erase") : key)));

  // How a job is done, folded: its lines in order and where they are written.
  const jobCard = (each) => h("details", { class: "jobcard" }, h("summary", {}, word(each.title)),
    h("ol", { class: "guide" }, each.lines.map((words) => h("li", {}, word(words)))), h("p", { class: "small dim" }, each.written_in));

  const note = (kind, title, text = "", name = "warn") =>
    h("p", { class: `note note--${kind}`, role: kind === "bad" ? "alert" : null }, icon(name), h("span", {}, h("b", {}, title), " ", text));

  const refusals = (problem) => problem && note("bad", problem.refusals?.map((each) => word(each.message)).join(" ") || word(problem.message));

  // Badge and PIN, as on every pad of the house. Neither is kept, and nothing signed here ever waits for a line.
  const AGAIN_MS = 2000;
  const SIGN_AGAIN_MS = 60_000;
  // What is attested is read in the language that this terminal was set to, and in English beneath; it is kept as it was read.
  const { language: chosen, setLanguage, names } = window.PitWords;
  const languageOf = (attests) => (attests[chosen()] ? chosen() : "en");
  const attest = (form, attests) => {
    const language = languageOf(attests);
    const read = form.querySelector("[data-sentence]");
    read.textContent = attests[language];
    read.lang = language;
    const english = form.querySelector("[data-english]");
    english.textContent = language === "en" ? "" : attests.en;
    english.hidden = language === "en";
    draw(form.querySelector("[data-languages]"), Object.keys(attests).filter((code) => code !== language).map((code) =>
      h("button", { type: "button", class: "btn", lang: code, "data-k": `language-${code}`, onclick: () => { setLanguage(code); window.PitTerminal.redraw(); } }, names[code])));
  };
  const pad = ({ attests = { en: "" }, label, send }) => {
    const form = document.getElementById(`pad-${chosen()}`).content.firstElementChild.cloneNode(true);
    attest(form, attests);
    const press = form.querySelector("[type=submit]");
    press.textContent = label;
    const said = form.querySelector("[data-said]");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (press.disabled) return;
      press.disabled = true;
      // The same again under the same key, as long as no answer comes: it is done once, and then it is known.
      const until = Date.now() + SIGN_AGAIN_MS;
      const keyed = { badge: form.elements.badge.value, pin: form.elements.pin.value, language: languageOf(attests) };
      const attempt = async () => {
        try {
          await send(keyed);
        } catch (problem) {
          if (problem instanceof window.PitLine.Problem || !form.isConnected) throw problem;
          if (Date.now() > until) throw problem;
          draw(said, note("wait", t`No answer yet.`, t`We don’t know yet if this was signed. Checking again…`, "no-line"));
          await new Promise((done) => { setTimeout(done, AGAIN_MS); });
          await attempt();
        }
      };
      try {
        await attempt();
      } catch (problem) {
        const isRefused = problem instanceof window.PitLine.Problem;
        draw(said, isRefused ? refusals(problem) : note("wait", t`You’re offline.`, t`We don’t know yet if this was signed. Tap again; it only signs once.`, "no-line"));
        form.elements.pin.value = "";
        form.elements.pin.dispatchEvent(new Event("input", { bubbles: true }));
      } finally {
        press.disabled = false;
      }
    });
    queueMicrotask(() => document.dispatchEvent(new CustomEvent("htmx:load", { detail: { elt: form } })));
    return form;
  };

  window.PitParts = { h, s, draw, icon, money, card, cardGrid, cardName, setCheques, cheque, cut, faceOf, chequeWords, shape, button, choice, jobCard, keypad, note, refusals, pad, byValue, cap, said };
})();
