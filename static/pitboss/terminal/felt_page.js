// The felt as the dealer sees it: seats in an arc, what each is owed, ranks to tap, and one button that ends the round.
(() => {
  "use strict";
  const { t, word, language, onLanguage } = window.PitWords;
  const { h, s, draw, money, cheque, chequeWords, button, choice, faceOf, keypad, note, byValue, cap, said } = window.PitParts;
  const line = window.PitLine;
  const terminal = window.PitTerminal;
  const felt = window.PitFelt;
  const entries = window.PitEntries;
  const round = window.PitRound;
  const { DEALER } = felt;
  const SEATS = 7;
  const RANKS = "A23456789TJQK";
  const SUITS = { s: ["♠", () => t`Spades`], h: ["♥", () => t`Hearts`], c: ["♣", () => t`Clubs`], d: ["♦", () => t`Diamonds`] };
  const SPOTS = ["2x", "3x", "4x"];
  const PLAYS = { surrender: () => t`Surrender`, even_money: () => t`Even money` };

  // What lies under the seats: the keys, the bets of a seat, an amount, or a payout that waits.
  let sheet = { name: "keys" };
  let keyed = "";
  const redraw = () => { if (terminal.isOpen("felt")) terminal.redraw(); };
  const show = (name, more = {}) => { sheet = { name, ...more }; keyed = ""; redraw(); };

  // What the server says of each seat, for just the cards and bets that it was asked with.
  let answers = {};
  let owed = null;
  let trouble = null;
  let isAsking = false;
  let isAskedAgain = false;
  const signOf = (seat) => JSON.stringify([language(), felt.state().dealer, felt.seatSent(seat)]);
  const linesOf = (seat) => (answers[seat]?.sign === signOf(seat) ? answers[seat].told.lines : null);
  const keyOf = ({ seat, wager, hand }) => `${seat}:${wager}:${hand ?? 0}`;

  const ask = async () => {
    if (isAsking) {
      isAskedAgain = true;
      return;
    }
    isAsking = true;
    try {
      do {
        isAskedAgain = false;
        const signs = Object.fromEntries(felt.seats().map((seat) => [seat, signOf(seat)]));
        try {
          const told = await line.ask("POST", "felt", felt.sent());
          answers = Object.fromEntries(told.seats.map((each) => [each.seat, { sign: signs[each.seat], told: each }]));
          owed = told.owed_cents;
          trouble = null;
        } catch (problem) {
          trouble = problem instanceof line.Problem ? problem : null;
        }
      } while (isAskedAgain);
    } finally {
      isAsking = false;
    }
    askApprovals();
    redraw();
  };
  felt.onChange(() => {
    if (felt.seats().length && (line.isThere() || !isAsking)) ask();
    redraw();
  });
  line.on("line", (there) => { if (there) ask(); else redraw(); });
  entries.onChange(redraw);
  // What the server says of a bet it says in the language of the terminal.
  onLanguage(() => { if (felt.seats().length && line.isThere()) ask(); });

  // The payout of a line that has a check of its own: it waits for somebody, or was paid otherwise.
  // A suit that is told later, and changes nothing that is owed, leaves what was asked for as it is.
  const claimOf = ({ claim: { suited, ...claim }, payable_cents: cents }) => JSON.stringify([claim, cents], (name, value) => (/cards$|^dealt$/.test(name) ? value.map((card) => card[0]) : name === "dealer_up" ? value[0] : value));
  const entryOf = (each) => entries.recent().find((entry) => entry.felt?.round === felt.state().id && entry.felt.line === keyOf(each) && entry.felt.claim === claimOf(each));
  // What was sent for this bet before one of its cards was put right: a new check stands for it, and its approval ends.
  const staleOf = (each) => entries.recent().find((entry) => entry.felt?.round === felt.state().id && entry.felt.line === keyOf(each) && entry.felt.claim !== claimOf(each) && entry.answer?.check && entry.paidCents === undefined && !entry.isCorrected);
  const sendCheck = (each, cents) => {
    const stale = staleOf(each);
    if (stale) entries.remember({ ...stale, isCorrected: true });
    return entries.send(each.name, { ...each.claim, paid_cents: cents, ...(stale ? { corrects: stale.answer.check } : {}) }, { felt: { round: felt.state().id, line: keyOf(each), claim: claimOf(each) } });
  };
  const isPayable = (each) => each.verdict === "right" && each.payable_cents > 0;
  const isOwnCard = (each) => [...(each.claim.player_cards ?? []), ...(each.claim.dealer_cards ?? []), each.claim.dealer_up ?? "9c"].every((card) => card.length === 2);

  // A bet on the dealer's hand alone needs no card of its seat.
  const isTold = (seat, lines) => felt.handsOf(seat)[0].cards.length > 0 || Boolean(lines?.some((each) => each.asks !== "cards"));
  const isFinal = (each) => (each.claim.player_cards ? felt.isDone(each.seat) && felt.state().at?.place !== each.seat : felt.isDealerDone());

  // For training and audits a house lets the dealer say what is about to be paid, and shows what is owed after that.
  const isBlind = () => terminal.table()?.felt.shows === "about_to_pay";
  const isHidden = (each) => isBlind() && !entryOf(each);

  // What needs a supervisor is asked for as soon as its hand is closed.
  const askApprovals = () => {
    if (isBlind()) return;
    for (const seat of felt.seats()) {
      for (const each of linesOf(seat) ?? []) {
        if (!isFinal(each) || entryOf(each)) continue;
        if (isPayable(each) && each.level === "approval") sendCheck(each, each.payable_cents);
        else if (each.payable_cents !== null && staleOf(each)?.approval) sendCheck(each, each.payable_cents);
      }
    }
  };

  // Without a line the terminal proves one thing by itself, for the bets that the server names: a hand that busts has lost.
  const isBust = (wager, { cards }) => Boolean(terminal.table()?.felt.lost_by_bust?.includes(wager)) && felt.total(cards).sum > 21;
  const isLost = (seat) => felt.state().bets[seat].every(({ wager }) => felt.handsOf(seat).every((hand) => isBust(wager, hand)));

  // The state of a seat, worst first: its mark and its frame.
  const isPaidRight = (entry) => entry.paid && !(entry.paid.mismatch && !entry.paid.mismatch.settlement);
  const stateOf = (seat, lines) => {
    if (!isTold(seat, lines)) return ["", ""];
    if (!lines) return line.isThere() ? ["", "…"] : isLost(seat) ? ["lost", t`Lost`] : ["q", t`Not checked`];
    const own = lines.map(entryOf).filter(Boolean);
    if (own.some((entry) => ["overpaid", "underpaid"].includes(entry.answer?.verdict) && !entry.paid)) return ["bad", t`Wrong`];
    if (own.some((entry) => entry.paid?.mismatch && !entry.paid.mismatch.settlement)) return ["bad", t`Notified`];
    if (own.some((entry) => entry.approval?.state === "declined" && !entry.paid)) return ["bad", t`Declined`];
    if (own.some((entry) => entry.answer?.level === "approval" && !entry.paid && entry.approval?.state === "granted")) return ["ok", t`Approved`];
    if (own.some((entry) => entry.answer?.level === "approval" && !entry.paid)) return ["wait", t`Approval`];
    if (lines.some((each) => ["big_win", "jackpot"].includes(each.level) && isPayable(each) && !isHidden(each))) return ["wait", lines.some((each) => each.level === "jackpot") ? t`Jackpot` : t`Big win`];
    if (lines.some((each) => each.asks === "suits")) return ["q", t`Suits`];
    if (lines.some((each) => each.asks === "cards")) return ["", felt.isDone(seat) ? t`Waits` : ""];
    if (lines.some((each) => each.verdict === "cannot_verify")) return ["q", t`Can’t verify`];
    if (lines.some(isHidden)) return ["", ""];
    if (own.length && own.every(isPaidRight) && lines.filter(isPayable).every(entryOf)) return ["paid", t`Paid`];
    if (lines.some(isPayable)) return ["pay", t`Pay`];
    return lines.some((each) => each.net_cents === 0) ? ["push", t`Push`] : ["lost", t`Lost`];
  };

  const rankCard = (place, hand) => (card, index) => {
    const { fix } = felt.state();
    const isUp = fix?.place === place && fix.hand === hand && fix.index === index;
    const suit = SUITS[card[1]];
    return h("button", { type: "button", class: `rk${card[1] === "h" || card[1] === "d" ? " rk--red" : ""}`, "data-k": `card-${place}-${hand}-${index}`, "aria-pressed": String(isUp), onclick: (event) => { event.stopPropagation(); felt.tapCard(place, hand, index); } },
      felt.shown(card), suit ? h("i", { "aria-hidden": "true" }, suit[0]) : null, said(suit ? ` ${t`${suit[1]()}. Change this card.`}` : `. ${t`Change this card`}`));
  };
  const totalOf = (cards, isSplit) => {
    if (!cards.length) return null;
    const { sum, isSoft } = felt.total(cards);
    if (!isSplit && felt.isNatural(cards)) return h("b", { class: "rktot bj" }, t`BJ`);
    return h("b", { class: `rktot${sum > 21 ? " bust" : ""}` }, isSoft && sum < 21 ? t`soft ${sum}` : String(sum));
  };

  const drawHand = (seat) => ({ cards, doubled, double_cents: cents }, hand) => {
    const { at } = felt.state();
    const isHere = at?.place === seat && at.hand === hand;
    return h("span", { class: `rkhand${isHere ? " is-next" : ""}` }, cards.map(rankCard(seat, hand)), isHere ? h("span", { class: "rk rk--next", "aria-hidden": "true" }) : null,
      doubled ? h("span", { class: "rkdbl" }, cents ? t`Doubled ${money(cents)}` : t`Doubled`) : null, totalOf(cards, felt.handsOf(seat).length > 1));
  };

  const betWords = (bet) => (bet.bet ? chequeWords(bet.bet) : money(bet.stake_cents));
  const nameOf = (table, wager) => (table.wagers.find((each) => each.wager === wager)?.is_side_bet === false && wager !== "insurance" && wager !== "free_bet_coupon" ? t`Main` : cap(word(table.wagers.find((each) => each.wager === wager)?.name ?? wager)));

  // What a seat's payout asks of the dealer besides paying it: at most one button.
  const drawAct = (seat, lines) => {
    for (const each of lines) {
      const entry = entryOf(each);
      const label = money(each.payable_cents ?? 0);
      if (entry && !isPaidRight(entry)) {
        if (entry.approval?.state === "granted" && entry.paidCents === undefined) return h("button", { type: "button", class: "btn btn--act rt__do", "data-k": `paid-${seat}`, onclick: () => entries.confirm(entry, each.payable_cents) }, t`Paid ${label}`);
        if (entry.answer?.verdict === "right" && entry.answer.level === "verbal" && entry.paidCents === undefined) return h("button", { type: "button", class: "btn btn--act rt__do", "data-k": `paid-${seat}`, onclick: () => entries.confirm(entry, each.payable_cents) }, t`Right. Paid ${label}`);
        const waits = entry.answer?.level === "approval" && entry.answer.verdict === "right" && entry.approval?.state !== "declined" && entry.paidCents === undefined;
        return h("button", { type: "button", class: `btn rt__do${waits ? " rt__wait" : ""}`, "data-k": `open-${seat}`, onclick: () => show("entry", { key: entry.key }) }, waits ? t`Waiting for approval` : t`See what to do`);
      }
      if (entry) continue;
      if (isPayable(each) && !isBlind() && ["big_win", "jackpot"].includes(each.level)) {
        if (!isOwnCard(each)) return h("p", { class: "rt__over rt__over--q" }, t`Tap each card, then its suit.`);
        return h("button", { type: "button", class: "btn btn--act rt__do", "data-k": `enter-${seat}`, onclick: () => { const sent = sendCheck(each, each.payable_cents); if (each.level === "jackpot") terminal.enterHit({ ...sent.body, stake_cents: each.stake_cents }); else entries.open(sent); } }, each.level === "jackpot" ? t`Enter jackpot` : t`Enter big win`);
      }
    }
    return null;
  };

  // Each bet in a few words; a tap says that another amount was paid.
  const pay = (each) => () => show("amount", { about: "paid", line: each });
  const ASKS = { suits: (each) => t`${cap(word(each.name))}: suits?`, cards: (each) => t`${cap(word(each.name))}: waits` };
  const toldOf = ({ hand, words, reasons }) => {
    const told = word(words || reasons[0]?.message || "");
    return hand ? t`Hand ${hand}: ${told}` : told;
  };
  const lineWords = (each) => ASKS[each.asks]?.(each) ?? (isHidden(each) ? (each.hand ? t`${cap(word(each.name))}, hand ${each.hand}` : cap(word(each.name))) : null) ?? toldOf(each);
  const lineMoney = (each) => (isHidden(each) ? t`Pay?` : each.payable_cents === null ? "" : money(each.payable_cents || Math.min(each.net_cents, 0)));
  const drawLines = (lines) => h("ul", { class: "rt__res" }, lines.map((each) =>
    h("li", { class: each.verdict === "cannot_verify" && each.asks !== "cards" ? "is-open" : "" }, h("button", { type: "button", "data-k": `line-${keyOf(each)}`, onclick: pay(each) },
      h("span", {}, lineWords(each)), h("b", {}, lineMoney(each)), said(` ${t`Tap if you paid another amount.`}`)))));
  // Without a line nothing is judged: the dealer pays by hand, and may say how much.
  const drawUnjudged = (table, seat) => h("ul", { class: "rt__res" }, felt.state().bets[seat].flatMap(({ wager }) => {
    const hands = felt.handsOf(seat).length > 1 && !table.wagers.find((each) => each.wager === wager)?.is_side_bet ? felt.handsOf(seat).map((_, at) => at + 1) : [null];
    return hands.map((hand) => {
      const each = { seat, wager, hand, name: nameOf(table, wager) };
      const cents = felt.state().paid[keyOf(each)];
      if (cents === undefined && isBust(wager, felt.handsOf(seat)[(hand ?? 1) - 1])) return h("li", {}, h("button", { type: "button", "data-k": `line-${keyOf(each)}`, onclick: pay(each) }, h("span", {}, t`${each.name}: bust, bet taken`), h("b", {}, "$0")));
      return h("li", {}, h("button", { type: "button", "data-k": `line-${keyOf(each)}`, onclick: pay(each) }, h("span", {}, t`${each.name}, pay by hand`), h("b", {}, cents === undefined ? t`Enter paid` : money(cents))));
    });
  }));

  const drawSeat = (table) => (seat) => {
    const { bets, at } = felt.state();
    const isHere = at?.place === seat;
    if (!bets[seat]) {
      return h("button", { type: "button", class: "rt rt--empty", "data-k": `seat-${seat}`, onclick: () => show("bets", { seat, wager: null }) }, h("b", {}, seat), h("span", {}, "+"), said(t`Seat ${seat}: add a bet`));
    }
    const lines = linesOf(seat);
    const [state, mark] = stateOf(seat, lines);
    const told = lines ? answers[seat].told : null;
    return h("article", { class: `rt${state ? ` rt--${state}` : ""}${isHere ? " rt--on" : ""}`, "aria-label": t`Seat ${seat}`, "data-seat": seat, "data-state": state },
      h("button", { type: "button", class: "rt__open", "data-k": `seat-${seat}`, "aria-pressed": String(isHere), onclick: () => felt.tapPlace(seat) }, h("span", { class: "rt__top" }, h("b", {}, t`Seat ${seat}`), mark ? h("span", { class: `mk mk--${state || "none"}` }, mark) : null)),
      h("button", { type: "button", class: "rt__bets", "data-k": `bets-${seat}`, onclick: () => show("bets", { seat, wager: null }) }, said(`${t`Seat ${seat}, bets:`} `),
        bets[seat].map((bet) => { const found = lines?.find((each) => each.wager === bet.wager); return h("span", {}, h("span", {}, nameOf(table, bet.wager)), h("b", {}, found ? money(found.stake_cents) : betWords(bet))); })),
      felt.handsOf(seat).map(drawHand(seat)),
      !isTold(seat, lines) ? null : lines ? drawLines(lines) : line.isThere() ? null : drawUnjudged(table, seat),
      told && lines.some((each) => each.payable_cents !== null) && !lines.some(isHidden) ? [
        h("p", { class: "rt__owed" }, h("span", {}, t`Owed`), h("b", {}, money(told.owed_cents))),
        byValue(told.cheques).length ? h("ul", { class: "cutmini", "aria-label": t`Cheques to cut` }, byValue(told.cheques).map(([cents, count]) => h("li", {}, cheque(cents, "s"), h("b", { "aria-hidden": "true" }, count), said(t`${count} of ${money(faceOf(cents))}`)))) : null,
        lines.flatMap((each) => each.warnings).slice(0, 1).map((each) => h("p", { class: "rt__over" }, word(each.message))),
        lines.find((each) => Object.keys(each.fill).length) ? h("p", { class: "rt__over" }, t`Tray short. Ask for a fill.`) : null,
      ] : null,
      lines ? drawAct(seat, lines) : null);
  };

  const drawDealer = () => {
    const { dealer, at } = felt.state();
    const { sum } = felt.total(dealer);
    const isDone = felt.isDealerDone();
    return h("div", { class: `dh${at?.place === DEALER ? " dh--on" : ""}` },
      h("button", { type: "button", class: "dh__l", "data-k": "seat-dealer", "aria-pressed": String(at?.place === DEALER), onclick: () => felt.tapPlace(DEALER) }, t`Dealer`, h("small", {}, isDone ? t`entered once` : t`tap, then cards`)),
      h("span", { class: "rkhand rkhand--l" }, dealer.map(rankCard(DEALER, 0)), at?.place === DEALER && !isDone ? h("span", { class: "rk rk--next", "aria-hidden": "true" }) : null),
      dealer.length ? h("span", { class: "dh__t" }, h("b", {}, dealer.length === 2 && sum === 21 ? t`BJ` : sum), isDone ? (sum > 21 ? t`busts` : t`stands`) : t`so far`) : null);
  };

  // What the dealer sees first: where the next card goes.
  const nextWords = () => {
    const { at, fix } = felt.state();
    if (fix) return [t`Change this card`, t`tap the right rank or suit`];
    if (!felt.seats().length) return [t`Tap a seat`, t`and put down its bets`];
    if (!at) return [t`All hands entered`, t`pay right to left`];
    return at.place === DEALER ? [t`Next: dealer`, t`then seats right to left`] : [t`Next: seat ${at.place}`, t`right to left`];
  };
  const sumWords = () => {
    if (!line.isThere()) return [t`Not checked`, t`keep dealing, entries are saved`];
    if (isBlind()) return [t`Training`, t`enter what you are about to pay`];
    const all = felt.seats().flatMap((seat) => linesOf(seat) ?? []);
    const paying = new Set(all.filter(isPayable).map((each) => each.seat));
    return owed && paying.size ? [t`${money(owed)} owed`, paying.size === 1 ? t`1 seat` : t`${paying.size} seats`] : ["", ""];
  };

  const drawFelt = (table) => {
    const [next, how] = nextWords();
    const [sum, where] = sumWords();
    return h("section", { class: "rf", "aria-label": t`The felt, seats as you see them` },
      s("svg", { viewBox: "0 0 992 436", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" }, s("path", { class: "rule", d: "M-10 236Q496 30 1002 236" }), s("path", { class: "rule", d: "M-10 260Q496 54 1002 260" })),
      h("p", { class: "rc rc--l", role: "status" }, h("b", {}, next), h("span", {}, how)),
      drawDealer(),
      h("p", { class: "rc rc--r" }, h("b", {}, sum), h("span", {}, where)),
      h("div", { class: "rseats" }, Array.from({ length: SEATS }, (_, at) => at + 1).map(drawSeat(table))));
  };

  // The first seat, from the right, with a bet that turns on suits.
  const asking = () => {
    for (const seat of felt.seats()) {
      const each = (linesOf(seat) ?? []).find((one) => one.asks === "suits");
      if (each) return each;
    }
    return null;
  };

  const tapRank = (rank) => {
    const table = terminal.table();
    if (round.isElsewhere(table)) return;
    if (round.sensorOf(table) && !round.isOpen() && !felt.state().dealer.length) round.begin(table);
    felt.tapRank(rank);
  };

  // Every key has its place for good: one that came and went would move the next under the finger.
  const drawKeys = (table) => {
    const { undo, at } = felt.state();
    const isSeat = at && at.place !== DEALER;
    const asks = asking();
    const hand = isSeat ? felt.handsOf(at.place)[at.hand] : null;
    const off = (is) => (is ? null : "true");
    return [
      h("section", { class: "rkeys", "aria-label": t`Card ranks` }, [...RANKS].map((rank) => h("button", { type: "button", "data-k": `rank-${rank}`, onclick: () => tapRank(rank) }, rank === "T" ? "10" : rank))),
      h("div", { class: "rrow" },
        h("button", { type: "button", class: "btn rrow__undo", "data-k": "undo", "aria-disabled": off(undo.length), onclick: felt.undo }, undo.length ? t`Undo ${undo.at(-1).label}` : t`Undo`),
        table.plays.includes("double") ? h("button", { type: "button", class: "btn", "data-k": "double", "aria-disabled": off(hand && hand.cards.length > 1 && hand.cards.length < 4), "aria-pressed": String(Boolean(hand?.doubled)), onclick: () => hand && felt.double() }, t`Double`) : null,
        table.plays.includes("double") ? h("button", { type: "button", class: "btn", "data-k": "for-less", "aria-disabled": off(hand?.doubled), onclick: () => hand?.doubled && show("amount", { about: "double" }) }, t`For less`) : null,
        table.plays.includes("split") ? h("button", { type: "button", class: "btn", "data-k": "split", "aria-disabled": off(felt.canSplit()), onclick: felt.split }, t`Split`) : null,
        Object.entries(PLAYS).filter(([play]) => table.plays.includes(play)).map(([play, label]) => {
          const may = isSeat && (play !== "even_money" || (felt.state().dealer[0]?.[0] === "A" && felt.isNatural(hand.cards)));
          return h("button", { type: "button", class: "btn", "data-k": play, "aria-disabled": off(may), "aria-pressed": String(Boolean(isSeat && felt.state().played[at.place]?.[play])), onclick: () => may && felt.play(play) }, label());
        }),
        [["suited", t`Suited`, true], ["not-suited", t`Not suited`, false]].map(([k, label, is]) =>
          h("button", { type: "button", class: `btn rrow__ask${asks ? " btn--ask" : ""}`, "data-k": k, "aria-disabled": off(asks), onclick: () => asks && felt.say(asks.seat, asks.wager, is) }, h("span", {}, label, asks ? h("small", {}, t`seat ${asks.seat}`) : null))),
        h("div", { class: `suits${asks || felt.state().fix ? " suits--on" : ""}`, role: "group", "aria-label": t`Suits` },
          Object.entries(SUITS).map(([suit, [sign, name]]) => h("button", { type: "button", class: suit === "h" || suit === "d" ? "r" : "", "data-k": `suit-${suit}`, "aria-label": name(), onclick: () => felt.tapSuit(suit) }, sign)))),
    ];
  };

  // The bets of one seat: whichever wagers this game has, in cheques.
  const drawBets = (table) => {
    const { seat } = sheet;
    const wager = table.wagers.find((each) => each.wager === sheet.wager) ?? table.wagers.find((each) => !each.is_side_bet);
    const bet = felt.state().bets[seat]?.find((each) => each.wager === wager.wager);
    const fixed = wager.stakes_cents;
    const offered = fixed.length ? fixed : table.cheques.map((each) => each.cents).filter((cents) => faceOf(cents) >= 100 && faceOf(cents) <= Math.min(wager.maximum_cents, 500_000)).reverse();
    const pick = (cents) => (fixed.length ? felt.setStake(seat, wager.wager, cents) : felt.addCheque(seat, wager.wager, cents));
    return [h("section", { class: "panel panel--tight stack stack--s", "aria-label": t`Bets at seat ${seat}` },
      h("div", { class: "term__row" }, h("h2", { class: "grow" }, t`Seat ${seat}`),
        felt.state().bets[seat] ? button(t`Empty seat`, () => { felt.leave(seat); show("keys"); }, { kind: "btn--ghost", k: "leave" }) : null,
        button(t`Done`, () => show("keys"), { kind: "btn--act", k: "bets-done" })),
      choice("wager", t`Wager`, table.wagers.map((each) => ({ value: each.wager, label: cap(word(each.name)) })), wager.wager, (value) => show("bets", { seat, wager: value })),
      h("div", { class: "stakes", role: "group", "aria-label": t`Stake` },
        offered.map((cents) => h("button", { type: "button", class: "stakes__chip", "data-k": `stake-${cents}`, onclick: () => pick(cents) }, fixed.length ? money(cents) : [said(t`Add ${money(faceOf(cents))}`), cheque(cents, "m")])),
        h("output", { class: "stakes__sum stakes__sum--words", "aria-live": "polite" }, bet ? betWords(bet) : t`No bet`),
        bet ? button(t`Clear`, () => felt.setBet(seat, wager.wager, () => null), { kind: "btn--ghost", k: "stake-clear" }) : null),
      wager.wager === "bet_bigger" && bet ? h("div", { class: "choose", role: "group", "aria-label": t`Spots` }, SPOTS.map((spot) => h("button", { type: "button", class: "btn", "data-k": `spot-${spot}`, "aria-pressed": String(Boolean(bet.spots?.includes(spot))), onclick: () => felt.setBet(seat, wager.wager, (own) => ({ ...own, spots: SPOTS.filter((each) => (own.spots?.includes(each) ?? false) !== (each === spot)) })) }, spot))) : null,
      wager.wager === "raise_the_roof" && bet ? choice("raise", t`Raise`, [0, 1, 2, 3, 4, 5].map((times) => ({ value: times, label: times ? t`Raise ${times}x` : t`No raise` })), bet.raise_times ?? 0, (times) => felt.setBet(seat, wager.wager, (own) => ({ ...own, raise_times: times }))) : null)];
  };

  // An amount by keys: what a double was for, or what was paid. Digits become cents by their place, nothing is added.
  const press = (key) => {
    if (key === "erase") keyed = keyed.endsWith(".50") ? keyed.slice(0, -3) : keyed.slice(0, -1);
    else if (key === ".50") keyed = keyed.includes(".") ? keyed : `${keyed || "0"}.50`;
    else if (!keyed.includes(".") && keyed.length < 7) keyed += key;
    redraw();
  };
  const centsKeyed = () => (keyed === "" ? null : Number(keyed.includes(".") ? keyed.replace(".", "") : `${keyed}00`));
  const drawAmount = () => {
    const cents = centsKeyed();
    const isDouble = sheet.about === "double";
    const take = () => {
      if (cents === null) return;
      if (isDouble) felt.double(cents);
      else payOther(sheet.line, cents);
      show("keys");
    };
    return [h("section", { class: "panel panel--tight term__row rsheet", "aria-label": isDouble ? t`Double for less` : t`Paid` },
      h("div", { class: "stack stack--s" }, h("h2", {}, isDouble ? t`Doubled for` : t`Paid at seat ${sheet.line.seat}, ${word(sheet.line.name)}`), h("output", { class: "stakes__sum", "aria-live": "polite" }, cents === null ? "$" : money(cents)),
        h("div", { class: "term__row" }, h("button", { type: "button", class: "btn btn--act btn--l", "data-k": "amount-done", "aria-disabled": cents === null ? "true" : null, onclick: take }, isDouble ? t`Double` : t`Check`), button(t`Cancel`, () => show("keys"), { kind: "btn--ghost btn--l", k: "amount-not" }))),
      keypad(press))];
  };
  // What was paid otherwise has a check of its own; without a line it is kept with the round.
  const payOther = (each, cents) => {
    if (each.claim) sendCheck(each, cents);
    else felt.setPaid(keyOf(each), cents);
  };

  // A payout that waits, in the place of the keys: the same large button opens when it may be paid.
  const drawEntry = () => {
    const entry = entries.recent().find((each) => each.key === sheet.key);
    if (!entry) return drawKeys(terminal.table());
    const { answer } = entry;
    return [h("div", { class: "askgrid" },
      h("section", { class: "stack stack--s rask", "aria-label": t`What to do` }, entries.verdictOf(entry), answer?.approvals?.[0] ? h("p", { class: "small" }, word(answer.approvals[0].message)) : null),
      h("section", { class: "panel panel--tight rpay", "aria-label": t`Payout` }, h("div", { class: "term__row" }, h("h2", { class: "grow" }, t`Seat ${entry.body.seat}, ${word(entry.name)}`), button(t`Back`, () => show("keys"), { kind: "btn--ghost", k: "entry-back" })), entries.drawPaid(entry)))];
  };

  // What an earlier round left open stays in sight until it is paid.
  const drawLeft = () => {
    const left = entries.recent().filter((entry) => entries.isOpen(entry) && entry.felt?.round !== felt.state().id);
    return left.length ? h("ul", { class: "rleft", "aria-label": t`Payouts still open` }, left.map((entry) => {
      const isGranted = entry.approval?.state === "granted";
      const what = t`Seat ${entry.body.seat}, ${word(entry.name)}`;
      const owes = money(entry.answer.payable_cents);
      return h("li", {}, h("button", { type: "button", class: `btn ${isGranted ? "btn--act" : "rt__wait"}`, "data-k": `left-${entry.key}`, onclick: () => (isGranted ? entries.confirm(entry, entry.answer.payable_cents) : show("entry", { key: entry.key })) }, isGranted ? t`${what}: paid ${owes}` : t`${what}: ${owes} waiting for approval`));
    })) : null;
  };

  // Everything as shown was paid: one tap. What waits for somebody stays open, and what was not entered is not judged.
  const openSeats = (lines) => [...new Set(lines.filter((each) => { const entry = entryOf(each); return entry && !isPaidRight(entry); }).map((each) => each.seat))];
  // Seats with a bet that this house wants checked, and that is not.
  const unchecked = (table) => felt.seats().filter((seat) => {
    const isAsked = (wager) => table.felt.must_check === "all" || (table.felt.must_check === "side_bets" && table.wagers.find((each) => each.wager === wager)?.is_side_bet);
    const lines = linesOf(seat);
    return lines ? lines.some((each) => isAsked(each.wager) && each.payable_cents === null) : felt.state().bets[seat].some((bet) => isAsked(bet.wager));
  });
  const drawUnchecked = (table) => {
    const seats = unchecked(table);
    return [h("section", { class: "panel panel--tight stack stack--s", role: "alert" }, note("wait", t`Seat ${seats.join(", ")} not checked.`, t`Enter the cards. If you end the round unchecked, the supervisor is notified.`),
      h("div", { class: "term__row" }, button(t`Enter the cards`, () => show("keys"), { kind: "btn--act btn--l", k: "check-now" }), button(t`End unchecked`, () => end({ unchecked: true }), { kind: "btn--stop btn--l", k: "end-unchecked" })))];
  };
  const tapEnd = (table) => (line.isThere() && unchecked(table).length ? show("unchecked") : end());

  const end = (more = {}) => {
    const lines = felt.seats().flatMap((seat) => linesOf(seat) ?? []);
    const paid = lines.filter((each) => isPayable(each) && (each.level === "verbal" || isBlind()) && !entryOf(each)).map(({ seat, wager, hand, payable_cents: cents }) => ({ seat, wager, ...(hand ? { hand } : {}), paid_cents: isBlind() ? 0 : cents }));
    for (const each of lines) {
      const entry = entryOf(each);
      if (entry?.answer?.verdict === "right" && entry.answer.level === "verbal" && entry.paidCents === undefined) entries.confirm(entry, each.payable_cents);
    }
    const byWord = Object.entries(felt.state().paid).map(([key, cents]) => { const [seat, wager, hand] = key.split(":"); return { seat: Number(seat), wager, ...(Number(hand) ? { hand: Number(hand) } : {}), paid_cents: cents }; });
    if (paid.length || byWord.length || more.unchecked) {
      line.post("felt/paid", { ...felt.sent(), ...more, paid: [...paid, ...byWord], keyed_at: line.now().toISOString(), ...(byWord.length ? { already_paid: true } : {}) }, { what: "Felt" });
    }
    round.end();
    answers = {};
    owed = null;
    felt.clear();
    show("keys");
  };
  line.on("refused", ({ item, problem }) => { if (item.what === "Felt") terminal.say("bad", t`Payouts not stored.`, word(problem.message)); });
  line.on("answered", ({ item, answer }) => {
    if (item.what !== "Felt") return;
    for (const [index, { claim, answer: judged, ...paid }] of answer.paid.entries()) {
      entries.remember({ key: `${item.key}-${index}`, name: nameOf(terminal.table(), paid.wager), body: claim, answer: judged, paid, refusal: "", isLate: item.isLate });
    }
    const wrong = answer.paid.filter((each) => each.mismatch);
    if (wrong.length) terminal.say("bad", wrong.length === 1 ? t`1 payout doesn’t match.` : t`${wrong.length} payouts don’t match.`, t`The supervisor has been notified.`, "call");
    else terminal.say("good", answer.paid.length === 1 ? t`1 payout stored.` : t`${answer.paid.length} payouts stored.`);
  });

  const endWords = () => {
    const lines = felt.seats().flatMap((seat) => linesOf(seat) ?? []);
    const still = openSeats(lines);
    const unchecked = felt.seats().filter((seat) => felt.handsOf(seat)[0].cards.length < 2).length;
    if (!line.isThere()) return t`saved here, sent when online`;
    return [unchecked ? (unchecked === 1 ? t`1 seat not checked` : t`${unchecked} seats not checked`) : t`paid as shown`, still.length ? t`open: ${still.join(", ")}` : ""].filter(Boolean).join(" · ");
  };
  const drawEnd = (table) => {
    const number = round.number();
    const hasStart = Boolean(round.sensorOf(table)) || round.isOpen();
    const isBegun = felt.state().id !== null || round.isOpen();
    return h("div", { class: `rend${hasStart ? "" : " rend--one"}` },
      hasStart ? h("button", { type: "button", class: "btn btn--l", "data-k": "begin", "aria-disabled": round.isOpen() ? "true" : null, onclick: () => { if (!round.isOpen()) round.begin(table); } }, t`Start round`, h("small", {}, round.isOpen() ? t`open` : t`or tap the first card`)) : null,
      h("button", { type: "button", class: `btn btn--l${isBegun ? " btn--act" : ""}`, "data-k": "end", "aria-disabled": isBegun ? null : "true", onclick: () => isBegun && tapEnd(table) }, number ? t`End round ${number}` : t`End round`, h("small", {}, isBegun ? endWords() : t`Tap the dealer’s cards first`)));
  };

  const SHEETS = { keys: drawKeys, bets: drawBets, amount: drawAmount, entry: drawEntry, unchecked: drawUnchecked };
  terminal.addAct({
    id: "felt",
    get label() { return t`Felt`; },
    icon: "count",
    isShown: (table) => !terminal.isByBets(table),
    draw: (main, table) => {
      felt.setTable(table);
      draw(main, h("div", { class: "rmain" },
        drawFelt(table),
        drawLeft(),
        round.drawTrouble(table),
        trouble ? note("bad", t`Not checked.`, word(trouble.message)) : null,
        SHEETS[sheet.name](table),
        sheet.name === "keys" ? drawEnd(table) : null));
    },
  });

  // A keyboard, or a scanner that types: rank, then suit. "10" is its 0, so the 1 before it is nothing.
  const TYPED = { 0: "T", t: "T", a: "A", j: "J", q: "Q", k: "K" };
  addEventListener("keydown", (event) => {
    if (!terminal.isOpen("felt") || sheet.name !== "keys" || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const key = event.key.toLowerCase();
    const rank = TYPED[key] ?? (/^[2-9]$/.test(key) ? key : null);
    if (rank) tapRank(rank);
    else if (SUITS[key]) felt.tapSuit(key);
    else if (key === "backspace") felt.undo();
    else if (key === "+") felt.double();
    else if (key === "/") felt.split();
    else return;
    event.preventDefault();
  });

  let isFirst = true;
  terminal.onTable((table) => {
    felt.setTable(table);
    if (!isFirst) return;
    isFirst = false;
    if (felt.seats().length) ask();
  });
})();
