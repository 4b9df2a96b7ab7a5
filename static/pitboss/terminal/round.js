// The round that a meter needs: started with the seats whose sensors are lit, ended, or called off. What is dealt in it
// is on the felt. Each act goes through the outbox in its order, so a dropped line loses none of it.
(() => {
  "use strict";
  const { t, word } = window.PitWords;
  const { h, draw, button, note } = window.PitParts;
  const line = window.PitLine;
  const terminal = window.PitTerminal;
  const ROUND = "pitboss-terminal-round";
  // Bets that a sensor sees: with one of them on the felt the meter has to hear of the round.
  const SENSED = ["blazing_7s", "lucky_ladies"];
  const ABORTS = [["misdeal", () => t`Misdeal`], ["card_exposed", () => t`Card exposed`], ["wrong_entry", () => t`Wrong entry`], ["equipment", () => t`Equipment`], ["evacuation", () => t`Evacuation`]];

  // The round that this terminal began; kept over a reload.
  let round = line.kept(ROUND, null);
  let refusal = "";
  let ended = null;
  let impossible = "";
  let asksWhy = false;
  // The last round that this terminal ended: the table may be read once more with it.
  let over = null;
  const set = (changes) => {
    round = changes === null ? null : { ...round, ...changes };
    line.keep(ROUND, round);
    redraw();
  };
  const redraw = () => { if (terminal.isOpen("felt") || terminal.isOpen("shoe")) terminal.redraw(); };

  const tell = (part, body) => {
    refusal = "";
    const isKnown = round.id !== null;
    line.post(`rounds/${isKnown ? round.id : "{}"}/${part}`, body, { what: `Round ${part}`, after: isKnown ? null : { key: round.key, field: "round" } });
  };

  const sensorOf = (table) => table.wagers.find((each) => SENSED.includes(each.wager));
  const litSeats = (sensor) => Object.entries(window.PitFelt.state().bets)
    .filter(([, bets]) => bets.some((bet) => bet.wager === sensor.wager))
    .map(([seat]) => ({ seat: Number(seat), lit: [sensor.wager] }));

  const begin = (table, more = {}) => {
    ended = null;
    refusal = "";
    const sensor = sensorOf(table);
    const seats = sensor ? litSeats(sensor) : [];
    const key = line.post("rounds", { ...(seats.length ? { seats } : {}), ...more }, { what: "Round start" });
    set({ key, id: null });
  };

  const end = () => {
    if (!round) return;
    impossible = "";
    tell("end", {});
    redraw();
  };

  line.on("answered", ({ item, answer }) => {
    if (!item.what.startsWith("Round") || !round) return;
    if (item.what === "Round start" && item.key === round.key) set({ id: answer.round });
    if (answer.outcome) {
      ended = answer.verdict;
      over = answer.round;
      asksWhy = false;
      set(null);
    }
  });
  line.on("refused", ({ item, problem }) => {
    if (!item.what.startsWith("Round")) return;
    refusal = problem.message;
    if (item.what === "Round start") set(null);
    else if (item.what === "Round end" && problem.status === 422) {
      refusal = "";
      impossible = problem.message;
      redraw();
    } else redraw();
  });

  const drawImpossible = () => h("section", { class: "panel panel--tight stack stack--s", role: "alert" }, note("bad", t`This hand isn’t possible.`, word(impossible)),
    h("div", { class: "term__row" },
      button(t`Irregular hand`, () => { impossible = ""; terminal.call(); redraw(); }, { kind: "btn--l", k: "irregular" }),
      button(t`End unverified`, () => { impossible = ""; tell("end", { unverified: true }); redraw(); }, { kind: "btn--l", k: "end-unverified" })));

  const drawAbort = () => h("section", { class: "panel panel--tight stack stack--s", "aria-label": t`Abort the round` }, h("p", {}, t`Why doesn’t this round count?`),
    h("div", { class: "choose", role: "group", "aria-label": t`Reason` }, ABORTS.map(([reason, label]) => button(label(), () => { tell("abort", { reason }); redraw(); }, { k: `abort-${reason}` }))),
    button(t`Keep the round`, () => { asksWhy = false; redraw(); }, { kind: "btn--ghost", k: "abort-not" }));

  const OUTCOMES = {
    partly_settled: () => note("wait", t`Round ended, some seats unverified.`, ended.unverified.map((each) => word(each.message)).join(" ")),
    aborted: () => note("wait", t`Round aborted.`, t`It does not count.`),
  };

  // After a restart, or where another terminal began it.
  const isElsewhere = (table) => !round && table.round && table.round !== over;
  const drawElsewhere = (table) => {
    const take = (act) => () => { round = { key: "", id: table.round }; line.keep(ROUND, round); act(); redraw(); };
    return h("section", { class: "panel panel--tight stack stack--s", "aria-label": t`Open round` },
      note("wait", t`Round ${table.round} is open.`, t`Continue, end, or abort it.`),
      h("div", { class: "term__row" },
        button(t`Continue`, take(() => {}), { kind: "btn--act btn--l", k: "continue" }),
        button(t`End`, take(() => tell("end", { unverified: true })), { kind: "btn--l", k: "end-other" }),
        button(t`Abort`, take(() => { asksWhy = true; }), { kind: "btn--l", k: "abort-other" }),
        button(t`End it and start the next`, () => begin(table, { ends_open: true }), { kind: "btn--l", k: "end-and-begin" })));
  };

  let seen = null;
  terminal.onTable((table) => {
    if (!round && table.round !== seen) redraw();
    seen = table.round;
  });

  // What stands in the way of going on, above the keys; nothing as a rule.
  const drawTrouble = (table) => [
    refusal ? note("bad", t`Refused.`, word(refusal)) : null,
    round && impossible ? drawImpossible() : null,
    round && asksWhy ? drawAbort() : null,
    isElsewhere(table) ? drawElsewhere(table) : null,
    !round && ended && OUTCOMES[ended.outcome] ? OUTCOMES[ended.outcome]() : null,
  ].filter(Boolean);

  window.PitRound = { begin, end, sensorOf, isElsewhere, drawTrouble, number: () => round?.id ?? null, isOpen: () => Boolean(round) };

  terminal.addAct({
    id: "shoe",
    get label() { return t`Shoe`; },
    icon: "cards",
    draw: (main, table) => draw(main, h("div", { class: "stack" },
      drawTrouble(table),
      round && !asksWhy ? button(t`Abort this round`, () => { asksWhy = true; redraw(); }, { kind: "btn--l", k: "abort" }) : null,
      window.PitShoe.draw())),
  });
})();
