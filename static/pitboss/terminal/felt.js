// What lies on the felt: bets that are remembered, the dealer's hand once, each seat's cards, and where the next card falls.
// It counts cards, never money: what is owed the server says.
(() => {
  "use strict";
  const { t } = window.PitWords;
  const line = window.PitLine;
  const FELT = "pitboss-terminal-felt";
  const UNDO_MOST = 60;
  const DEALER = "dealer";
  const PLAYS = { surrender: () => t`surrender`, even_money: () => t`even money` };
  // Bets of one round only: nobody has insurance before the dealer shows an ace.
  const ONCE = ["insurance", "free_bet_coupon"];
  const fresh = (bets = {}) => ({ id: null, bets, dealer: [], hands: {}, at: { place: DEALER, hand: 0 }, fix: null, last: null, done: [], played: {}, suited: {}, paid: {}, undo: [] });

  let felt = { ...fresh(), ...line.kept(FELT, {}) };
  let table = null;
  const hearers = [];
  const keep = () => {
    line.keep(FELT, felt);
    for (const hear of hearers) hear(felt);
  };

  // What the table looked like before, with what the undoing of it is called.
  const before = (label) => {
    const { undo, ...rest } = felt;
    felt.undo = [...undo, { label, felt: JSON.stringify(rest) }].slice(-UNDO_MOST);
  };
  const undo = () => {
    const last = felt.undo.at(-1);
    if (!last) return;
    felt = { ...JSON.parse(last.felt), undo: felt.undo.slice(0, -1) };
    keep();
  };

  const rank = (card) => card[0];
  const worth = (card) => (rank(card) === "A" ? 1 : "TJQK".includes(rank(card)) ? 10 : Number(rank(card)));
  const total = (cards) => {
    const hard = cards.reduce((sum, card) => sum + worth(card), 0);
    const isSoft = hard <= 11 && cards.some((card) => rank(card) === "A");
    return { sum: isSoft ? hard + 10 : hard, isSoft };
  };
  const isNatural = (cards) => cards.length === 2 && total(cards).sum === 21;

  const seats = () => Object.keys(felt.bets).map(Number).sort((one, other) => other - one);
  const handsOf = (seat) => felt.hands[seat]?.hands ?? [{ cards: [] }];
  const seatOf = (seat) => (felt.hands[seat] ??= { hands: [{ cards: [] }] });

  const isDealerDone = () => {
    const { sum, isSoft } = total(felt.dealer);
    if (felt.dealer.length < 2) return false;
    return sum > 17 || (sum === 17 && !(isSoft && table?.soft_17 === "hit"));
  };
  // A hand closes itself where no dealer deals it another card; a soft one may always draw.
  const isHandDone = (seat, hand) => {
    const { cards, doubled } = hand;
    if (cards.length < 2) return false;
    const { sum, isSoft } = total(cards);
    const isSplit = handsOf(seat).length > 1;
    if (isSplit && rank(cards[0]) === "A") return true;
    if (doubled) return cards.length > 2;
    return sum >= 21 || (sum >= 17 && !isSoft) || (isSoft && sum >= 19);
  };
  const isDone = (seat) => felt.done.includes(seat);
  const finish = (seat) => { if (!isDone(seat)) felt.done = [...felt.done, seat]; };

  // From the right to the left, as they are paid. Where the dealer's hand is open still, the next card is the dealer's.
  const advance = () => {
    const next = isDealerDone() ? seats().find((seat) => !isDone(seat)) : DEALER;
    felt.at = next === undefined ? null : { place: next, hand: 0 };
  };

  const closeAfterCard = () => {
    const { place, hand } = felt.at;
    if (place === DEALER) {
      if (isDealerDone()) advance();
      return;
    }
    const hands = handsOf(place);
    if (!isHandDone(place, hands[hand])) return;
    const left = hands.findIndex((each) => !isHandDone(place, each));
    if (left >= 0 && hands.length > 1) felt.at = { place, hand: left };
    else {
      finish(place);
      advance();
    }
  };

  const named = (place) => (place === DEALER ? t`dealer` : t`seat ${place}`);
  const shown = (card) => (rank(card) === "T" ? "10" : rank(card));
  const listOf = (place, hand) => (place === DEALER ? felt.dealer : seatOf(place).hands[hand].cards);

  const begin = () => { felt.id ??= line.newKey(); };

  const tapRank = (name) => {
    if (felt.fix) {
      const { place, hand, index } = felt.fix;
      before(t`${shown(listOf(place, hand)[index])} to ${shown(name)}`);
      listOf(place, hand)[index] = name;
      felt.last = felt.fix;
      felt.fix = null;
      keep();
      return true;
    }
    if (!felt.at) return false;
    const { place, hand } = felt.at;
    before(t`${shown(name)}, ${named(place)}`);
    begin();
    const cards = listOf(place, hand);
    cards.push(name);
    felt.last = { place, hand, index: cards.length - 1 };
    closeAfterCard();
    keep();
    return true;
  };

  // A suit goes to the card that was tapped, else to the one entered last.
  const tapSuit = (suit) => {
    const target = felt.fix ?? felt.last;
    const cards = target && listOf(target.place, target.hand);
    if (!cards?.[target.index]) return false;
    before(t`suit of ${shown(cards[target.index])}, ${named(target.place)}`);
    cards[target.index] = rank(cards[target.index]) + suit;
    felt.fix = null;
    keep();
    return true;
  };

  const tapCard = (place, hand, index) => {
    const isUp = felt.fix?.place === place && felt.fix.hand === hand && felt.fix.index === index;
    felt.fix = isUp ? null : { place, hand, index };
    keep();
  };

  // Whoever goes on to another hand has left the one before as it stands.
  const tapPlace = (place, hand = null) => {
    const from = felt.at;
    if (from && from.place !== DEALER && from.place !== place && handsOf(from.place).every(({ cards }) => cards.length > 1)) finish(from.place);
    const hands = place === DEALER ? [] : handsOf(place);
    felt.at = { place, hand: hand ?? Math.max(0, hands.findIndex((each) => !isHandDone(place, each))) };
    felt.fix = null;
    keep();
  };

  const double = (cents = null) => {
    if (!felt.at || felt.at.place === DEALER) return;
    const { place, hand } = felt.at;
    const held = seatOf(place).hands[hand];
    before(t`double, ${named(place)}`);
    if (cents !== null) Object.assign(held, { doubled: true, double_cents: cents });
    else if (held.doubled) {
      delete held.doubled;
      delete held.double_cents;
    } else held.doubled = true;
    closeAfterCard();
    keep();
  };

  const canSplit = () => {
    if (!felt.at || felt.at.place === DEALER) return false;
    const { cards } = handsOf(felt.at.place)[felt.at.hand] ?? { cards: [] };
    return cards.length === 2 && worth(cards[0]) === worth(cards[1]);
  };
  const split = () => {
    if (!canSplit()) return;
    const { place, hand } = felt.at;
    before(t`split, ${named(place)}`);
    const seat = seatOf(place);
    const [one, other] = seat.hands[hand].cards;
    seat.dealt ??= [one, other];
    seat.hands.splice(hand, 1, { cards: [one] }, { cards: [other] });
    felt.done = felt.done.filter((each) => each !== place);
    keep();
  };

  const play = (name) => {
    if (!felt.at || felt.at.place === DEALER) return;
    const { place } = felt.at;
    before(t`${PLAYS[name]()}, ${named(place)}`);
    const own = felt.played[place] ?? {};
    felt.played = { ...felt.played, [place]: { [name]: !own[name] } };
    if (!own[name] && handsOf(place)[0].cards.length > 1) {
      finish(place);
      advance();
    }
    keep();
  };

  const say = (seat, wager, isSuited) => {
    before(isSuited ? t`suited, ${named(seat)}` : t`not suited, ${named(seat)}`);
    felt.suited = { ...felt.suited, [seat]: { ...felt.suited[seat], [wager]: isSuited } };
    keep();
  };

  // Bets: cheques as they are put down, or one of the stakes that the wager has.
  const setBet = (seat, wager, change) => {
    const bets = felt.bets[seat] ?? [];
    const found = bets.find((bet) => bet.wager === wager) ?? { wager };
    const bet = change(found);
    const rest = bets.filter((each) => each.wager !== wager);
    const own = bet ? [...rest, bet] : rest;
    const others = Object.fromEntries(Object.entries(felt.bets).filter(([each]) => Number(each) !== Number(seat)));
    felt.bets = own.length ? { ...others, [seat]: own } : others;
    if (!own.length) delete felt.hands[seat];
    if (!felt.at && isDealerDone()) advance();
    keep();
  };
  const addCheque = (seat, wager, cents) => setBet(seat, wager, ({ stake_cents, ...bet }) => ({ ...bet, bet: { ...bet.bet, [cents]: (bet.bet?.[cents] ?? 0) + 1 } }));
  const setStake = (seat, wager, cents) => setBet(seat, wager, ({ bet, ...rest }) => ({ ...rest, stake_cents: cents }));
  const leave = (seat) => {
    for (const { wager } of felt.bets[seat] ?? []) setBet(seat, wager, () => null);
  };

  const seatSent = (seat) => {
    const own = felt.hands[seat] ?? { hands: [] };
    const hands = own.hands.filter(({ cards }) => cards.length);
    return {
      seat,
      bets: felt.bets[seat].map((bet) => ({ ...bet, ...(felt.suited[seat]?.[bet.wager] === undefined ? {} : { suited: felt.suited[seat][bet.wager] }) })),
      ...(hands.length ? { hands } : {}),
      ...(own.dealt ? { dealt: own.dealt } : {}),
      ...Object.fromEntries(Object.entries(felt.played[seat] ?? {}).filter(([, isTaken]) => isTaken)),
    };
  };
  const sent = () => ({ dealer: felt.dealer, seats: seats().map(seatSent) });

  // What was paid by the dealer's own word, where nothing could be judged.
  const setPaid = (key, cents) => {
    felt.paid = { ...felt.paid, [key]: cents };
    keep();
  };

  const clear = () => {
    const bets = Object.fromEntries(Object.entries(felt.bets)
      .map(([seat, own]) => [seat, own.filter((bet) => !ONCE.includes(bet.wager)).map(({ raise_times, ...bet }) => bet)])
      .filter(([, own]) => own.length));
    felt = fresh(bets);
    keep();
  };

  window.PitFelt = {
    DEALER, state: () => felt, onChange: (hear) => hearers.push(hear), setTable: (told) => { table = told; },
    seats, handsOf, total, isNatural, isDealerDone, isDone, isHandDone, canSplit, sent, seatSent, shown,
    tapRank, tapSuit, tapCard, tapPlace, double, split, play, say, addCheque, setStake, setBet, leave, setPaid, undo, clear,
  };
})();
