// A round told as it is dealt: who sits, what lies where, each card as it falls, what a seat decides, and the end.
// Each part goes through the outbox in its order, so a dropped line loses none of it.
(() => {
  "use strict";
  const { h, draw, money, card, cardGrid, cheque, button, choice, note, cap, said } = window.PitParts;
  const line = window.PitLine;
  const terminal = window.PitTerminal;
  const ROUND = "pitboss-terminal-round";
  const SEATS = 7;
  const DECISIONS = [["hit", "Hit"], ["stand", "Stand"], ["double", "Double"], ["split", "Split"]];

  // What this terminal has told of the round, as it lies on the table; kept over a reload.
  let round = line.kept(ROUND, null);
  let refusal = "";
  let ended = null;
  const set = (changes) => {
    round = changes === null ? null : { ...round, ...changes };
    line.keep(ROUND, round);
    redraw();
  };
  const redraw = () => { if (terminal.isOpen("round")) terminal.redraw(); };

  const tell = (part, body) => {
    refusal = "";
    const isKnown = round.id !== null;
    line.post(`rounds/${isKnown ? round.id : "{}"}/${part}`, body, { what: `Round ${part}`, after: isKnown ? null : { key: round.key, field: "round" } });
  };

  const begin = () => {
    ended = null;
    refusal = "";
    const key = line.post("rounds", {}, { what: "Round start" });
    set({ key, id: null, stage: "seats", seats: [], bets: {}, cards: {}, at: 0, seat: null, wager: null });
  };

  line.on("answered", ({ item, answer }) => {
    if (!item.what.startsWith("Round") || !round) return;
    if (item.what === "Round start" && item.key === round.key) set({ id: answer.round });
    if (item.what === "Round end") {
      ended = answer.verdict;
      set(null);
    }
  });
  line.on("refused", ({ item, problem }) => {
    if (!item.what.startsWith("Round")) return;
    refusal = problem.message;
    if (item.what === "Round start") set(null);
    else redraw();
  });

  const takeSeats = () => {
    tell("seats", { seats: round.seats.map((seat) => ({ seat })) });
    set({ stage: "wagers", seat: round.seats[0] });
  };

  const placeBets = () => {
    for (const seat of round.seats) {
      const bets = Object.entries(round.bets[seat] ?? {}).map(([wager, stake_cents]) => ({ wager, stake_cents }));
      if (bets.length) tell("wagers", { seat, bets });
    }
    set({ stage: "cards", seats: round.seats.filter((seat) => Object.keys(round.bets[seat] ?? {}).length), seat: null });
  };

  // As cards are dealt: one to each seat and one to the dealer, twice; from then on to whoever is tapped.
  const places = () => [...round.seats.map(String), "dealer"];
  const next = () => round.seat ?? places().find((place) => held(place).length < 1) ?? places().find((place) => held(place).length < 2) ?? "dealer";
  const held = (place) => round.cards[place] ?? [];

  const fall = (code) => {
    const place = next();
    tell("cards", { cards: [place === "dealer" ? { to: "dealer", card: code } : { seat: Number(place), card: code }] });
    set({ cards: { ...round.cards, [place]: [...held(place), code] } });
  };

  const decide = (table, decision) => {
    const seat = Number(round.seat);
    const main = table.wagers.find((each) => !each.is_side_bet).wager;
    const amount_cents = decision === "double" || decision === "split" ? round.bets[seat]?.[main] ?? 0 : 0;
    tell("decisions", amount_cents ? { seat, decision, amount_cents } : { seat, decision });
  };

  const drawSeats = () => [
    h("h2", {}, "Who plays?"),
    h("div", { class: "choose", role: "group", "aria-label": "Seats" }, Array.from({ length: SEATS }, (_, at) => at + 1).map((seat) =>
      h("button", { type: "button", class: "btn", "aria-pressed": String(round.seats.includes(seat)), "data-k": `seat-${seat}`, onclick: () => set({ seats: round.seats.includes(seat) ? round.seats.filter((each) => each !== seat) : [...round.seats, seat].sort() }) }, `Seat ${seat}`))),
    h("button", { type: "button", class: "btn btn--act btn--l", "data-k": "seats-done", "aria-disabled": round.seats.length ? null : "true", onclick: () => round.seats.length && takeSeats() }, "Seats taken"),
  ];

  const drawWagers = (table) => {
    const wager = table.wagers.find((each) => each.wager === round.wager) ?? table.wagers.find((each) => !each.is_side_bet);
    const stake = round.bets[round.seat]?.[wager.wager] ?? 0;
    const lay = (cents) => set({ bets: { ...round.bets, [round.seat]: { ...round.bets[round.seat], [wager.wager]: cents } } });
    const hasBets = Object.values(round.bets).some((bets) => Object.keys(bets).length);
    return [
      h("h2", {}, "What lies where?"),
      choice("Seat", round.seats.map((seat) => ({ value: seat, label: `Seat ${seat}` })), round.seat, (seat) => set({ seat })),
      choice("Wager", table.wagers.map((each) => ({ value: each.wager, label: cap(each.name) })), wager.wager, (value) => set({ wager: value })),
      h("div", { class: "stakes", role: "group", "aria-label": "Stake" },
        (wager.stakes_cents.length ? wager.stakes_cents.map((cents) => ({ cents })) : table.cheques.filter((each) => each.cents >= 100 && each.cents <= Math.min(50_000, wager.maximum_cents)).reverse()).map(({ cents }) =>
          h("button", { type: "button", class: "stakes__chip", "data-k": `lay-${cents}`, onclick: () => lay(wager.stakes_cents.length ? cents : stake + cents) }, said(`Add ${money(cents)}`), cheque(cents, "m"))),
        h("output", { class: "stakes__sum", "aria-live": "polite" }, money(stake)),
        stake ? button("Clear", () => { const { [wager.wager]: gone, ...rest } = round.bets[round.seat]; set({ bets: { ...round.bets, [round.seat]: rest } }); }, { kind: "btn--ghost", k: "lay-clear" }) : null),
      h("p", { class: "dim" }, Object.entries(round.bets).map(([seat, bets]) => `Seat ${seat}: ${Object.entries(bets).map(([name, cents]) => `${table.wagers.find((each) => each.wager === name).name} ${money(cents)}`).join(", ")}`).join(" · ")),
      h("button", { type: "button", class: "btn btn--act btn--l", "data-k": "bets-done", "aria-disabled": hasBets ? null : "true", onclick: () => hasBets && placeBets() }, "No more bets"),
    ];
  };

  const drawCards = (table) => [
    h("div", { class: "term__hands" }, places().map((place) =>
      h("button", { type: "button", class: `slots slots--tap${next() === place ? " is-next" : ""}`, "data-k": `place-${place}`, "aria-pressed": String(next() === place), onclick: () => set({ seat: place }) },
        h("span", { class: "small" }, place === "dealer" ? "Dealer" : `Seat ${place}`), h("span", { class: "hand" }, held(place).map((code) => card(code)), held(place).length ? null : h("span", { class: "slot-room" }, "–"))))),
    cardGrid(fall, "Tap the card that fell"),
    round.seat && round.seat !== "dealer" ? h("div", { class: "choose", role: "group", "aria-label": `Seat ${round.seat} decides` }, DECISIONS.map(([decision, label]) => button(label, () => decide(table, decision), { k: `decide-${decision}` }))) : h("p", { class: "small dim" }, "Tap a seat for its decisions, or to deal to it."),
    h("div", { class: "term__row" },
      button("End the round", () => { tell("end", {}); redraw(); }, { kind: "btn--act btn--l", k: "end" }),
      button("Check a payout", () => terminal.open("check"), { kind: "btn--l", k: "to-check" })),
  ];

  const drawEnded = () => h("section", { class: "panel stack", "aria-label": "The round that ended" },
    ended.differences.length ? note("bad", `${ended.differences.length} paid otherwise than settled.`, "Call the supervisor.") : note("good", "The round has ended.", "", "check"),
    h("ul", { class: "working" }, ended.lines.map((each) => h("li", {}, `Seat ${each.seat}: ${each.working ?? each.wager ?? ""}`))));

  const drawOpenElsewhere = (table) => [
    note("wait", `Round ${table.round} is open.`, "It was begun elsewhere, or before this page was put at its table."),
    button("End it", () => { round = { key: "", id: table.round, stage: "cards", seats: [], bets: {}, cards: {}, seat: null }; tell("end", {}); }, { kind: "btn--l", k: "end-other" }),
  ];

  const STAGES = { seats: drawSeats, wagers: drawWagers, cards: drawCards };

  terminal.addAct({
    id: "round",
    label: "Round",
    icon: "cards",
    draw: (main, table) => draw(main, h("div", { class: "stack" },
      refusal ? note("bad", "Refused.", refusal) : null,
      round ? STAGES[round.stage](table)
        : [ended ? drawEnded() : null, table.round ? drawOpenElsewhere(table) : button("Start a round", begin, { kind: "btn--act btn--l", k: "begin" }),
          h("p", { class: "dim" }, "Needed where a progressive is on. A payout is checked without one."),
          window.PitShoe.draw()])),
  });
})();
