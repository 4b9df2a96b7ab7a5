// A game that is checked bet by bet, such as roulette and baccarat: which bet, its numbers or cards, its stake, and what is paid.
(() => {
  "use strict";
  const { t, word } = window.PitWords;
  const { h, draw, button, choice, money, note, cap } = window.PitParts;
  const line = window.PitLine;
  const terminal = window.PitTerminal;
  const entries = window.PitEntries;
  const RANKS = [..."A23456789TJQK"];
  const SEATS = 9;
  const HANDS = { player_cards: () => t`Player`, dealer_cards: () => t`Banker` };
  const fresh = () => ({ bet: null, which: null, seat: null, hand: "player_cards", player_cards: [], dealer_cards: [] });

  let keyed = fresh();
  const set = (more) => {
    keyed = { ...keyed, ...more };
    terminal.redraw();
  };
  const cents = (text) => Math.round(Number(text.replace(/[$,]/g, "")) * 100);

  // What is typed stays in its field while the page is drawn again.
  const typed = {};
  const field = (name, label, more = {}) => {
    const input = h("input", { class: "input", id: `bet-${name}`, "data-k": `bet-${name}`, autocomplete: "off", value: typed[name] ?? "", ...more, oninput: (event) => { typed[name] = event.target.value; } });
    return h("div", { class: "field" }, h("label", { for: `bet-${name}` }, label), input);
  };

  const cardsOf = (wager) => (wager.cards.player_most
    ? [choice("hand", t`Hand`, Object.entries(HANDS).map(([value, label]) => ({ value, label: `${label()} ${keyed[value].join(" ") || "–"}` })), keyed.hand, (hand) => set({ hand })),
      h("div", { class: "choose", role: "group", "aria-label": t`Card` }, RANKS.map((rank) => button(rank, () => set(keyed[keyed.hand].length < wager.cards.player_most ? { [keyed.hand]: [...keyed[keyed.hand], rank] } : {}), { k: `rank-${rank}` })),
        button(t`Undo`, () => set({ [keyed.hand]: keyed[keyed.hand].slice(0, -1) }), { k: "rank-undo" }))]
    : null);

  const claimOf = (wager, bet) => {
    const extra = { bet: bet.bet };
    if (bet.numbers) extra.numbers = (typed.numbers ?? "").split(/[\s,]+/).filter(Boolean);
    if (bet.which) extra.which = keyed.which;
    if (wager.has_result) extra.result = (typed.result ?? "").trim();
    const claim = { wager: wager.wager, stake_cents: cents(typed.stake ?? ""), paid_cents: cents(typed.paid || "0"), extra };
    if (keyed.seat) claim.seat = keyed.seat;
    if (wager.cards.player_most) Object.assign(claim, { player_cards: keyed.player_cards, dealer_cards: keyed.dealer_cards });
    return claim;
  };

  const check = (wager, bet) => (event) => {
    event.preventDefault();
    if (bet.which && !keyed.which) {
      terminal.say("bad", t`Choose which.`, t`${word(bet.name)} 1 to ${bet.which}.`);
      return;
    }
    const entry = entries.send(bet.name, claimOf(wager, bet));
    // The result and the cards are those of the next bet too; its own amounts are not.
    for (const name of ["numbers", "stake", "paid"]) delete typed[name];
    keyed = { ...keyed, bet: null, which: null };
    entries.open(entry);
  };

  const next = () => {
    keyed = fresh();
    for (const name of Object.keys(typed)) delete typed[name];
    terminal.redraw();
  };

  const drawBet = (main, table) => {
    const wager = table.wagers.find((each) => each.bets.length);
    const bet = wager.bets.find((each) => each.bet === keyed.bet);
    const form = bet && h("form", { class: "panel stack", onsubmit: check(wager, bet) },
      h("h2", {}, cap(word(bet.name))),
      bet.numbers ? field("numbers", bet.numbers === 1 ? t`Number` : t`${bet.numbers} numbers, like 17 20`, { required: true, maxlength: 24 }) : null,
      bet.which ? choice("which", t`Which`, Array.from({ length: bet.which }, (_, at) => ({ value: at + 1, label: String(at + 1) })), keyed.which, (which) => set({ which })) : null,
      h("div", { class: "term__row" }, field("stake", t`Stake, $`, { inputmode: "decimal", maxlength: 12, required: true, pattern: "[$]?[0-9,]+([.][0-9]{1,2})?" }),
        field("paid", t`Payout on top, $`, { inputmode: "decimal", maxlength: 12, pattern: "[$]?[0-9,]+([.][0-9]{1,2})?" })),
      h("h3", {}, t`Seat`),
      choice("at", t`Seat`, Array.from({ length: SEATS }, (_, at) => ({ value: at + 1, label: String(at + 1) })), keyed.seat, (seat) => set({ seat: seat === keyed.seat ? null : seat })),
      h("button", { type: "submit", class: "btn btn--act btn--l btn--full", "data-k": "check-bet" }, t`Check`));
    draw(main, h("div", { class: "term" },
      h("section", { class: "panel stack stack--s", "aria-label": t`What came, and the bet` },
        h("div", { class: "panel__head" }, h("h2", {}, wager.paytable.name), button(t`New result`, next, { kind: "btn--ghost", k: "new-result" })),
        wager.has_result ? field("result", t`Result`, { maxlength: 2 }) : null,
        cardsOf(wager),
        h("h3", {}, t`Bet`),
        choice("bet", t`Bet`, wager.bets.map((each) => ({ value: each.bet, label: word(each.name) })), keyed.bet, (chosen) => set({ bet: chosen, which: null }))),
      h("aside", { class: "stack" }, form ?? note("wait", t`Tap the bet.`, t`Bets up to ${money(table.maximum_cents)}.`), line.isThere() ? null : note("wait", t`You’re offline.`, t`Payouts aren’t checked. What you enter is saved here and sent later.`, "no-line"))));
  };

  terminal.addAct({ id: "bet", get label() { return t`Bets`; }, icon: "pay", isShown: terminal.isByBets, draw: drawBet });
})();
