// A big win: what the check found goes on a slip with the dealer's PIN; then the terminal shows whose signature is next.
(() => {
  "use strict";
  const { t, word } = window.PitWords;
  const { h, money, button, choice, note, pad } = window.PitParts;
  const line = window.PitLine;
  const terminal = window.PitTerminal;
  const SEATS = 7;

  const enter = (entry, remember) => async (keyed) => {
    const body = { ...keyed };
    if (!entry.body.seat) body.seat = entry.seat;
    const bigWin = await line.ask("POST", `checks/${entry.answer.check}/big-win`, body, entry.bigWinKey);
    terminal.say("good", t`${bigWin.serial} entered.`, t`Call the supervisor.`);
    remember({ ...entry, bigWin });
  };

  const drawFollowed = (win) => [
    note(win.state === "paid" ? "good" : "wait", `${win.serial}, ${money(win.amount_cents)}.`, win.due ? t`Waiting for ${word(win.waits_for)}.` : t`It is ${word(win.state)}.`, "pay"),
    h("ol", { class: "working" }, win.steps.map((step) => h("li", {}, `${word(step.title)}: ${word(step.state)}${step.who ? `, ${step.who}` : ""}`))),
  ];

  // What the check knows is not asked again: only the seat, where nobody tapped it.
  const draw = (entry, remember) => {
    if (entry.bigWin) return drawFollowed(entry.bigWin);
    const owed = money(entry.answer.payable_cents);
    if (!entry.bigWinKey) return [button(t`Enter big win ${owed}`, () => remember({ ...entry, bigWinKey: line.newKey() }), { kind: "btn--act btn--l btn--full", k: "big-win" })];
    if (!entry.body.seat && !entry.seat) return [choice("winner", t`Seat that won`, Array.from({ length: SEATS }, (_, at) => ({ value: at + 1, label: String(at + 1) })), null, (seat) => remember({ ...entry, seat }))];
    return [h("p", {}, t`Seat ${entry.body.seat ?? entry.seat}: ${owed}`), pad({ attests: terminal.table().attests?.big_win, label: t`Enter big win`, send: enter(entry, remember) })];
  };

  // Whoever signs next, within a poll of the signature before.
  const follow = async (entries, remember) => {
    for (const entry of entries) {
      if (!entry.bigWin?.due) continue;
      try {
        const bigWin = await line.ask("GET", `big-wins/${entry.bigWin.serial}`);
        if (JSON.stringify(bigWin) !== JSON.stringify(entry.bigWin)) remember({ ...entry, bigWin });
      } catch {
        return; // No line, or no token: the next reading of the table asks again.
      }
    }
  };

  window.PitBigWin = { draw, follow };
})();
