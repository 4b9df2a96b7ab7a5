// Ask the supervisor: what the manual makes a dealer wait for, and what came of it. The house says which kinds there are.
(() => {
  "use strict";
  const { t, word } = window.PitWords;
  const { h, draw, button, cheque, cut, jobCard, note, refusals } = window.PitParts;
  const line = window.PitLine;
  const terminal = window.PitTerminal;
  const STATES = {
    waiting: ["wait", () => t`Waits`],
    granted: ["open", () => t`Granted`],
    declined: ["bad", () => t`Declined`],
    noted: ["open", () => t`Noted`],
    withdrawn: ["half", () => t`Withdrawn`],
  };

  let kinds = [];
  let asked = [];
  // The form that is open: its kind, and the key under which it is asked once.
  let form = null;

  const waiting = () => asked.filter((each) => each.state === "waiting");
  const tell = (each) => {
    const isNo = each.state === "declined";
    terminal.say(isNo ? "bad" : "good", `${STATES[each.state][1]()}.`, isNo ? each.reason : word(each.sentence));
  };

  const follow = async () => {
    try {
      const told = await line.ask("GET", "requests");
      const before = new Map(asked.map((each) => [each.request, each.state]));
      const isNews = JSON.stringify(told) !== JSON.stringify(asked);
      asked = told;
      if (!isNews) return;
      for (const each of told) if (before.get(each.request) === "waiting" && each.state !== "waiting") tell(each);
      // A form that somebody keys is left alone.
      if (terminal.isOpen("ask") && !form) terminal.redraw();
      else terminal.redrawActs();
    } catch {
      // No line: what is shown stays, and the bar says so.
    }
  };

  const load = async () => {
    try {
      kinds = await line.ask("GET", "requests/kinds");
      if (terminal.isOpen("ask") && !form) terminal.redraw();
    } catch {
      // Asked again when the act is opened again.
    }
    await follow();
  };
  terminal.onTable(() => { if (waiting().length) follow(); });

  // One question: its element, and how its answer is sent. An empty answer is left out.
  const plain = (ask, attributes, read = (value) => value) => {
    const input = h("input", { class: "input", id: `ask-${ask.name}`, autocomplete: "off", required: ask.is_needed, ...attributes });
    return [h("div", { class: "field" }, h("label", { for: `ask-${ask.name}` }, word(ask.title)), input), () => (input.value.trim() ? read(input.value.trim()) : undefined)];
  };
  const seats = (ask, type, read) => {
    const boxes = ask.choices.map((each) => [each, h("input", { type, name: `ask-${ask.name}`, value: each.value })]);
    const taken = () => boxes.filter(([, box]) => box.checked).map(([each]) => each.value);
    return [h("fieldset", { class: "field" }, h("legend", {}, word(ask.title)), h("div", { class: "choice choice--seats" }, boxes.map(([each, box]) => h("label", {}, box, word(each.words))))),
      () => (taken().length ? read(taken()) : undefined)];
  };
  const QUESTIONS = {
    money: (ask) => plain(ask, { inputmode: "decimal", maxlength: 14 }),
    number: (ask) => plain(ask, { inputmode: "numeric", maxlength: 9 }),
    day: (ask) => plain(ask, { type: "date" }),
    words: (ask) => plain(ask, { maxlength: 200 }),
    yes: (ask) => {
      const box = h("input", { type: "checkbox" });
      return [h("label", { class: "check" }, box, word(ask.title)), () => box.checked];
    },
    pick: (ask) => {
      const select = h("select", { class: "input", id: `ask-${ask.name}` }, ask.is_needed ? null : h("option", { value: "" }), ask.choices.map((each) => h("option", { value: each.value }, word(each.words))));
      return [h("div", { class: "field" }, h("label", { for: `ask-${ask.name}` }, word(ask.title)), select), () => select.value || undefined];
    },
    seat: (ask) => seats(ask, "radio", (taken) => taken[0]),
    seats: (ask) => seats(ask, "checkbox", (taken) => taken),
    cheques: (ask, table) => {
      const counts = table.cheques.map(({ cents, colour, letters }) => [cents, h("input", { class: "cell", inputmode: "numeric", maxlength: 5, placeholder: "0", autocomplete: "off", "aria-label": `${word(ask.title)}, ${word(colour)}${letters.length > 1 ? ` ${letters}` : ""}` })]);
      const rows = counts.map(([cents, input]) => h("label", { class: "term__count" }, cheque(cents, "m"), input));
      const read = () => Object.fromEntries(counts.filter(([, input]) => Number(input.value)).map(([cents, input]) => [cents, Number(input.value)]));
      return [h("fieldset", { class: "field" }, h("legend", {}, word(ask.title)), h("div", { class: "term__counts" }, rows)), read];
    },
  };

  const drawForm = (main, table) => {
    const { kind } = form;
    const questions = kind.asks.map((ask) => [ask.name, ...(QUESTIONS[ask.shape] ?? QUESTIONS.words)(ask, table)]);
    const said = h("div", {});
    const send = async (event) => {
      event.preventDefault();
      const facts = Object.fromEntries(questions.map(([name, , read]) => [name, read()]).filter(([, value]) => value !== undefined));
      try {
        const told = await line.ask("POST", "requests", { kind: kind.kind, facts }, form.key);
        form = null;
        asked = [told, ...asked.filter((each) => each.request !== told.request)];
        if (told.state !== "waiting") tell(told);
        terminal.redraw();
      } catch (problem) {
        // What was refused is asked anew; what was lost on the line is asked again, and counts once.
        if (problem instanceof line.Problem && form) form.key = line.newKey();
        draw(said, problem instanceof line.Problem ? refusals(problem) : note("wait", t`You’re offline.`, t`Call the supervisor out loud.`, "no-line"));
      }
    };
    draw(main, h("form", { class: "panel stack narrow", onsubmit: send },
      h("h2", {}, word(kind.title)),
      kind.guide.length ? h("ol", { class: "guide" }, kind.guide.map((each) => h("li", {}, word(each)))) : null,
      kind.cards.map(jobCard),
      questions.map(([, element]) => element), said,
      h("button", { type: "submit", class: "btn btn--act btn--l btn--full" }, kind.is_approval ? t`Ask the supervisor` : t`Notify the supervisor`),
      button(t`Not now`, () => { form = null; terminal.redraw(); }, { kind: "btn--ghost btn--full", k: "not-now" })));
    main.querySelector("input, select")?.focus();
  };

  // What was reported stays with the supervisor; a question may be taken back until it is answered.
  const mayWithdraw = (each) => each.state === "waiting" && kinds.some((kind) => kind.kind === each.kind && kind.is_approval);
  const withdraw = async (each) => {
    try {
      const told = await line.ask("POST", `requests/${each.request}/withdraw`, {}, line.newKey());
      asked = asked.map((other) => (other.request === told.request ? told : other));
    } catch (problem) {
      if (problem instanceof line.Problem) terminal.say("bad", t`Not withdrawn.`, problem.message);
      else terminal.say("wait", t`You’re offline.`, t`Call the supervisor out loud.`);
    }
    await follow();
    terminal.redraw();
  };

  const drawAsked = (each) => h("article", { class: "panel panel--tight stack stack--s" },
    h("div", { class: "panel__head" }, h("h3", {}, each.sentence), h("span", { class: `chip chip--${STATES[each.state][0]}` }, STATES[each.state][1]())),
    each.state === "declined" ? h("p", {}, each.reason) : null,
    each.state === "granted" && Object.keys(each.cheques).length ? cut(each.cheques) : null,
    each.answered_by ? h("p", { class: "small dim" }, each.is_standing ? t`${each.answered_by}, until the shift ends` : each.answered_by) : null,
    mayWithdraw(each) ? button(t`Withdraw`, () => withdraw(each), { kind: "btn--ghost", k: "withdraw" }) : null);

  const drawList = (main) => draw(main, h("div", { class: "term" },
    h("section", { class: "stack stack--s", "aria-label": t`What to ask` }, kinds.length
      ? [...new Set(kinds.map((each) => each.heading))].map((heading) => [h("h2", { class: "small dim" }, word(heading)), h("div", { class: "acts" }, kinds.filter((each) => each.heading === heading).map((kind) =>
        h("button", { type: "button", class: "act act--word", "data-k": `kind-${kind.kind}`, onclick: () => { form = { kind, key: line.newKey() }; terminal.redraw(); } }, h("span", {}, word(kind.title)), h("small", {}, word(kind.words)))))])
      : h("p", { class: "dim" }, t`Loading requests…`)),
    h("section", { class: "stack stack--s term__asked", "aria-label": t`Asked`, "aria-live": "polite" }, h("h2", { class: "small dim" }, t`Asked`), asked.length ? asked.map(drawAsked) : h("p", { class: "dim" }, t`No requests today.`))));

  terminal.addAct({
    id: "ask",
    get label() { return t`Ask`; },
    icon: "call",
    badge: () => waiting().length,
    open: () => { form = null; load(); },
    draw: (main, table) => (form ? drawForm(main, table) : drawList(main)),
  });
})();
