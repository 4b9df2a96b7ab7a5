// Envy for a hand that was not checked: a tap on its row. A checked payout records its own envy.
(() => {
  "use strict";
  const { t, word } = window.PitWords;
  const { h, draw, button, money, cap, note } = window.PitParts;
  const line = window.PitLine;
  const terminal = window.PitTerminal;
  const SHOWN_MS = 10 * 60_000;

  // What was tapped here lately, newest first: each can be taken back.
  let tapped = [];
  const rowsOf = (table) => table.wagers.flatMap((wager) => wager.paytable.rows.filter((row) => row.envy_cents && !row.is_jackpot).map((row) => ({ ...row, wager: wager.wager, bet: cap(wager.name) })));

  const tap = (row) => () => {
    line.post("envy", { wager: row.wager, row: row.row }, { what: "Envy" });
    terminal.open("felt");
  };
  const back = (each) => () => {
    line.post(`envy/${each.envy}/back`, {}, { what: "Envy back" });
    tapped = tapped.filter((other) => other !== each);
    terminal.redraw();
  };
  line.on("answered", ({ item, answer }) => {
    if (item.what === "Envy") {
      tapped = [answer, ...tapped].slice(0, 5);
      terminal.say("good", t`Envy ${money(answer.amount_cents)}.`, answer.says);
    }
    if (item.what === "Envy back") terminal.say("good", t`Envy reversed.`, answer.says);
    // What was confirmed as paid, one bet or a whole felt.
    const paid = item.what === "Paid" ? [answer] : item.what === "Felt" ? answer.paid : [];
    const cents = paid.reduce((sum, each) => sum + each.envy_cents, 0);
    if (cents) terminal.say("good", t`Envy ${money(cents)}.`, t`Recorded with the payout. Add it to the tokes.`);
  });
  line.on("refused", ({ item, problem }) => { if (item.what.startsWith("Envy")) terminal.say("bad", t`Not recorded.`, problem.message); });

  const recent = () => tapped.filter((each) => line.now() - Date.parse(each.at) < SHOWN_MS);
  terminal.addAct({
    id: "envy",
    get label() { return t`Envy`; },
    icon: "pay",
    isShown: (table) => rowsOf(table).length > 0,
    draw: (main, table) => draw(main, h("div", { class: "stack narrow" },
      h("p", {}, t`Tap the hand that won. Add its envy to the tokes from the tray.`),
      h("div", { class: "acts" }, rowsOf(table).map((row) => h("button", { type: "button", class: "act act--word", "data-k": `envy-${row.wager}-${row.row}`, onclick: tap(row) }, h("span", {}, `${word(row.name)} ${money(row.envy_cents)}`), h("small", {}, row.bet)))),
      note("info", t`A checked payout records its envy automatically.`, "", "check"),
      recent().map((each) => h("div", { class: "term__row" }, h("span", { class: "grow" }, each.says), button(t`Reverse`, back(each), { k: `envy-back-${each.envy}` })))))
  });
})();
