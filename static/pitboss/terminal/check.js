// Is this payout right? A wager, its stake, its cards, the amount about to be paid: then the verdict, and what was paid.
(() => {
  "use strict";
  const { h, draw, money, card, cardGrid, cheque, cut, chequeWords, shape, button, choice, keypad, note, byValue, cap, said, cardName } = window.PitParts;
  const line = window.PitLine;
  const terminal = window.PitTerminal;
  const RECENT = "pitboss-terminal-recent";
  const RECENT_MOST = 12;
  const SEATS = 7;
  // How a hand was played, beside its cards: a payout is wrong by as much as this is left out.
  const SPOTS = ["2x", "3x", "4x"];
  const RAISES = ["1", "2", "3", "4", "5"].map((times) => [`raise-${times}`, `Raise ${times}x`]);
  const HAND = [["doubled", "Doubled"], ["split", "Split hand"], ["surrender", "Surrender"], ["even_money", "Even money"]];
  const PLAYED = {
    blackjack: HAND,
    bet_bigger: [...SPOTS.map((spot) => [spot, spot]), ...HAND],
    free_bet_coupon: [["split", "Split hand"]],
    raise_the_roof: RAISES,
  };
  // What goes with nothing else of its hand, and what is one of several.
  const ALONE = ["surrender", "even_money"];
  const isOneOf = (one, other) => (one.startsWith("raise-") && other.startsWith("raise-")) || [one, other].some((each) => ALONE.includes(each)) && ![one, other].some((each) => SPOTS.includes(each));

  const fresh = (before = {}) => ({
    wager: before.wager ?? null,
    stake: before.stake ?? 0,
    seat: before.seat ?? null,
    player: [],
    dealer: [],
    side: "player",
    paid: null,
    keyed: "",
    played: [],
    // More cards than the least are keyed: a phone then shows all the cards again.
    wantsMore: false,
  });

  // What is on the screen: a payout being keyed, or one that was sent; and the last ones, kept over a reload.
  let claim = fresh();
  let shown = null;
  const recent = () => line.kept(RECENT, []);
  const remember = (entry) => {
    const others = recent().filter((each) => each.key !== entry.key);
    line.keep(RECENT, [entry, ...others].slice(0, RECENT_MOST));
    if (shown?.key === entry.key) shown = entry;
    redraw();
  };
  const entryOf = (key) => recent().find((each) => each.key === key);
  const redraw = () => { if (terminal.isOpen("check") || terminal.isOpen("recent")) terminal.redraw(); };

  const wagerOf = (table) => table.wagers.find((each) => each.wager === claim.wager) ?? table.wagers[0];

  const raised = () => Number(claim.played.find((each) => each.startsWith("raise-"))?.at(-1) ?? 0);
  const spots = () => SPOTS.filter((spot) => claim.played.includes(spot));
  // All that is paid on: the bet, what was raised beside it, its spots, and what a double added.
  const staked = () => claim.stake * (1 + raised() + spots().length) * (claim.played.includes("doubled") ? 2 : 1);

  // What each row of the pay table comes to on what is staked; rows that pay the same are one tap.
  const awards = (wager) => {
    const byAmount = new Map([[0, ["Lost or push"]]]);
    const stake = staked();
    if (wager.wager === "raise_the_roof" && !raised()) return [[stake, ["Dealer busts, no raise, 1 to 1"]], ...byAmount];
    for (const { name, pays } of wager.paytable.rows) {
      const odds = /^(\d+) to (\d+)$/.exec(pays);
      const fixed = [...pays.matchAll(/\$([\d,]+)/g)].map((found) => Number(found[1].replaceAll(",", "")) * 100);
      const at = fixed.length > 1 ? Math.max(0, wager.stakes_cents.indexOf(claim.stake)) : 0;
      const cents = odds ? Math.floor((stake * Number(odds[1])) / Number(odds[2])) : fixed[at];
      if (cents === undefined) continue; // A share of a meter: that is a jackpot, and has its own button.
      byAmount.set(cents, [...(byAmount.get(cents) ?? []), odds ? `${name}, ${pays}` : name]);
    }
    return [...byAmount].sort(([one], [other]) => other - one);
  };

  const lacksCards = ({ cards }) => claim.player.length < cards.player_least || claim.dealer.length < cards.dealer_least;

  const missing = (wager) => {
    if (!claim.stake) return "Tap the stake.";
    const { player_least: player, dealer_least: dealer } = wager.cards;
    if (claim.player.length < player) return "Tap the player’s cards.";
    if (claim.dealer.length < dealer) return "Tap the dealer’s cards.";
    return claim.paid === null ? "Tap what is about to be paid." : "";
  };

  // The next card goes to whoever lacks one; after that to the side that was tapped, or to the one that has room.
  const nextSide = (cards) => {
    if (claim.player.length < cards.player_least) return "player";
    if (claim.dealer.length < cards.dealer_least) return "dealer";
    return [claim.side, "dealer"].find((side) => claim[side].length < cards[`${side}_most`]) ?? null;
  };

  const pick = (wager) => (code) => {
    const side = nextSide(wager.cards);
    if (!side) return;
    claim[side].push(code);
    redraw();
  };

  const change = (changes) => {
    Object.assign(claim, changes);
    redraw();
  };

  const bodyOf = (wager) => {
    const body = { wager: wager.wager, stake_cents: claim.stake, paid_cents: claim.paid, keyed_at: line.now().toISOString() };
    if (claim.player.length) body.player_cards = claim.player;
    if (claim.dealer.length) body[wager.cards.dealer_field] = wager.cards.dealer_field === "dealer_up" ? claim.dealer[0] : claim.dealer;
    if (claim.seat) body.seat = claim.seat;
    const extra = extraOf(wager);
    if (Object.keys(extra).length) body.extra = extra;
    return body;
  };

  const extraOf = (wager) => {
    const extra = {};
    // An insurance bet is judged beside the bet that it insures.
    if (wager.wager === "insurance") extra.main_stake_cents = claim.stake * 2;
    if (raised()) extra.raise_cents = claim.stake * raised();
    if (spots().length) extra.spots = spots();
    for (const each of ALONE) if (claim.played.includes(each)) extra[each] = true;
    if (claim.played.includes("split")) extra.from_split = true;
    if (claim.played.includes("doubled")) {
      if (wager.wager === "bet_bigger") extra.double_cents_by_bet = Object.fromEntries(["ante", ...spots()].map((bet) => [bet, claim.stake]));
      else extra.double_cents = claim.stake;
    }
    return extra;
  };

  const play = (id) => change({
    played: claim.played.includes(id) ? claim.played.filter((each) => each !== id) : [...claim.played.filter((each) => !isOneOf(each, id)), id],
    paid: null,
    keyed: "",
  });

  const check = (wager) => {
    if (missing(wager)) return;
    const body = bodyOf(wager);
    const key = line.post("checks", body, { what: "Check" });
    shown = { key, name: wager.name, body, answer: null, paid: null, refusal: "" };
    remember(shown);
  };

  const confirm = (entry, cents) => {
    const body = { paid_cents: cents, keyed_at: line.now().toISOString() };
    const isKnown = entry.answer !== null;
    const path = `checks/${isKnown ? entry.answer.check : "{}"}/paid`;
    const paidKey = line.post(path, body, { what: "Paid", after: isKnown ? null : { key: entry.key, field: "check" } });
    remember({ ...entry, paidKey, paidCents: cents });
  };

  line.on("answered", ({ item, answer }) => {
    if (item.what === "Check") {
      const entry = entryOf(item.key);
      if (entry) remember({ ...entry, answer, isLate: item.isLate });
    } else if (item.what === "Paid") {
      const entry = recent().find((each) => each.paidKey === item.key);
      if (entry) remember({ ...entry, paid: answer });
    }
  });
  line.on("refused", ({ item, problem }) => {
    const entry = entryOf(item.key) ?? recent().find((each) => each.paidKey === item.key);
    if (entry) remember({ ...entry, refusal: problem.message });
  });

  // What the supervisor decides shows here too.
  terminal.onTable(async () => {
    for (const entry of recent()) {
      if (!entry.paid?.mismatch || entry.paid.mismatch.settlement) continue;
      try {
        const paid = await line.ask("GET", `checks/${entry.answer.check}/paid`);
        if (paid.mismatch.settlement) remember({ ...entry, paid });
      } catch {
        return; // No line, or no token: the next reading of the table asks again.
      }
    }
  });

  // The hand: the cards keyed, each taken back by a tap, and room for those to come.
  const hand = (label, side, wager) => {
    const least = wager.cards[`${side}_least`];
    const most = wager.cards[`${side}_most`];
    if (!most) return null;
    const room = Math.max(least - claim[side].length, claim[side].length < most && nextSide(wager.cards) !== side ? 1 : 0, nextSide(wager.cards) === side ? 1 : 0);
    return h("div", { class: "slots" }, h("span", { class: "small dim" }, label), h("div", { class: "hand" },
      claim[side].map((code, at) => h("button", { type: "button", class: "slot-card", "data-k": `${side}-${at}`, onclick: () => { claim[side].splice(at, 1); redraw(); } }, said(`Take back the ${cardName(code)}`), card(code, { role: null, "aria-label": null, "aria-hidden": "true" }))),
      Array.from({ length: Math.max(room, 0) }, (_, at) => h("button", { type: "button", class: `slot-room${nextSide(wager.cards) === side && at === 0 ? " is-next" : ""}`, "data-k": `room-${side}-${at}`, onclick: () => change({ side, wantsMore: true }) }, said(`${label}: `), at === 0 && nextSide(wager.cards) === side ? "next" : "+"))));
  };

  const stakes = (table, wager) => {
    const fixed = wager.stakes_cents;
    const offered = fixed.length ? fixed.map((cents) => ({ cents, label: "" })) : table.cheques.filter((each) => each.cents <= wager.maximum_cents && each.cents >= 100 && each.cents <= 50_000).reverse();
    return h("div", { class: "stakes", role: "group", "aria-label": "Stake" },
      offered.map(({ cents }) => h("button", { type: "button", class: "stakes__chip", "data-k": `stake-${cents}`, "data-stake": cents, onclick: () => change({ stake: fixed.length ? cents : claim.stake + cents, paid: null, keyed: "" }) },
        fixed.length ? money(cents) : [said(`Add ${money(cents)} to the stake`), cheque(cents, "m")])),
      h("output", { class: "stakes__sum", "aria-live": "polite" }, claim.stake ? money(claim.stake) : "Stake"),
      claim.stake ? button("Clear", () => change({ stake: 0, paid: null, keyed: "" }), { kind: "btn--ghost", k: "stake-clear" }) : null);
  };

  const press = (key) => {
    let keyed = claim.keyed;
    if (key === "erase") keyed = keyed.endsWith(".50") ? keyed.slice(0, -3) : keyed.slice(0, -1);
    else if (key === ".50") keyed = keyed.includes(".") ? keyed : `${keyed || "0"}.50`;
    else if (!keyed.includes(".") && keyed.length < 7) keyed += key;
    change({ keyed, paid: keyed === "" ? null : Math.round(Number(keyed) * 100) });
  };

  const drawKeying = (table, wager) => {
    const lacks = missing(wager);
    const plays = PLAYED[wager.wager] ?? [];
    return h("div", { class: "term" },
      h("section", { class: "term__key stack stack--s", "aria-label": "Wager and cards" },
        choice("Wager", table.wagers.map((each) => ({ value: each.wager, label: cap(each.name) })), wager.wager, (value) => change({ ...fresh(claim), wager: value, stake: 0 })),
        stakes(table, wager),
        h("div", { class: "term__hands" }, hand("Player", "player", wager), hand("Dealer", "dealer", wager)),
        h("div", { class: nextSide(wager.cards) && (claim.wantsMore || lacksCards(wager)) ? "" : "is-enough" }, cardGrid(pick(wager))),
        h("div", { class: "term__row" }, h("span", { class: "small dim" }, "Seat"), choice("Seat", Array.from({ length: SEATS }, (_, at) => ({ value: at + 1, label: String(at + 1) })), claim.seat, (seat) => change({ seat: claim.seat === seat ? null : seat })),
          plays.length ? h("div", { class: "choose", role: "group", "aria-label": "Played" }, plays.map(([id, label]) =>
            h("button", { type: "button", class: "btn", "aria-pressed": String(claim.played.includes(id)), "data-k": `played-${id}`, onclick: () => play(id) }, label))) : null)),
      h("section", { class: "term__pay panel panel--tight stack stack--s", "aria-label": "About to be paid" },
        h("div", { class: "total" }, h("span", { class: "small dim" }, "About to pay"), h("b", { "aria-live": "polite" }, claim.paid === null ? "–" : money(claim.paid))),
        claim.stake ? h("div", { class: "awards", role: "group", "aria-label": "What it may pay" }, awards(wager).map(([cents, names]) =>
          h("button", { type: "button", class: "btn awards__one", "aria-pressed": String(claim.paid === cents && !claim.keyed), "data-k": `award-${cents}`, "data-award": cents, onclick: () => change({ paid: cents, keyed: "" }) },
            h("b", {}, money(cents)), h("small", {}, names.length > 2 ? `${names[0].split(", ").at(-1)}, ${names.length} hands` : names.join("; "))))) : null,
        keypad(press),
        h("button", { type: "button", class: "btn btn--act btn--l btn--full", "data-k": "check", "aria-disabled": lacks ? "true" : null, "aria-describedby": "lacks", onclick: () => check(wager) }, "Check"),
        h("p", { class: "small dim term__lacks", id: "lacks" }, lacks || "Before the cheques leave.")));
  };

  const WORDS = {
    right: (answer) => `Right. Pay ${money(answer.payable_cents)}.`,
    overpaid: (answer) => `Do not pay ${money(answer.paid_cents)}. Owed ${money(answer.payable_cents)}.`,
    underpaid: (answer) => `Too little. Owed ${money(answer.payable_cents)}, not ${money(answer.paid_cents)}.`,
    cannot_verify: () => "Cannot verify. Call the supervisor.",
  };
  const KINDS = { right: "right", overpaid: "bad", underpaid: "bad", cannot_verify: "unknown" };

  const verdictOf = (entry) => {
    const { answer } = entry;
    if (!answer) {
      return h("section", { class: "verdict verdict--unknown", role: "alert" }, shape("kept"),
        h("h2", {}, entry.refusal ? "Refused." : line.isThere() ? "Asking…" : "Not checked."),
        h("p", {}, entry.refusal || (line.isThere() ? "The house is asked." : "No line. It is kept here and sent once when the line is back, marked as sent late.")));
    }
    const difference = answer.difference_cents;
    return h("section", { class: `verdict verdict--${KINDS[answer.verdict]}`, role: "alert", "data-verdict": answer.verdict }, shape(answer.verdict),
      h("h2", {}, WORDS[answer.verdict](answer)),
      h("p", {}, difference ? `${difference > 0 ? "Over" : "Under"} by ${money(Math.abs(difference))}. ` : "", answer.working, entry.isLate ? h("b", {}, " Sent late.") : null));
  };

  const drawPaid = (entry) => {
    const { answer, paid } = entry;
    const claimed = entry.body.paid_cents;
    if (entry.refusal) return [note("bad", "Refused.", entry.refusal)];
    if (paid) {
      const { mismatch } = paid;
      if (!mismatch) return [note("good", `${money(paid.paid_cents)} paid.`, "As it should be.", "check")];
      const { settlement } = mismatch;
      return [settlement
        ? note("good", settlement.way === "corrected" ? `Corrected: ${money(settlement.stands_cents)} stands.` : `${money(settlement.stands_cents)} stands all the same.`, `Signed by ${settlement.by}.`, "check")
        : note("wait", `${money(paid.paid_cents)} paid. The supervisor is told.`, "Leave the cheques where they lie.", "call")];
    }
    if (entry.paidCents !== undefined) return [note("wait", `${money(entry.paidCents)} paid.`, line.isThere() ? "Told to the house." : "Kept here, and sent once when the line is back.", "no-line")];
    const act = (label, cents, kind) => button(label, () => confirm(entry, cents), { kind: `${kind} btn--l btn--full`, k: `paid-${cents}` });
    if (!answer) return line.isThere() ? [] : [act(`I paid ${money(claimed)}`, claimed, "")];
    if (answer.verdict === "cannot_verify") {
      return [button("Call the supervisor", terminal.call, { kind: "btn--act btn--l btn--full", k: "call-now" }), act(`I paid ${money(claimed)} all the same`, claimed, "btn--stop")];
    }
    const owed = answer.payable_cents;
    return [act(`Paid ${money(owed)}`, owed, "btn--act"), answer.verdict === "right" ? null : act(`I paid ${money(claimed)}`, claimed, "btn--stop")];
  };

  const drawAnswer = (entry) => {
    const { answer } = entry;
    const back = Object.keys(answer?.take_back ?? {}).length || Object.keys(answer?.add ?? {}).length;
    return h("div", { class: "term term--answer" },
      h("div", { class: "stack" },
        verdictOf(entry),
        answer?.cheques && byValue(answer.cheques).length ? h("section", { class: "panel", "aria-labelledby": "cut-heading" }, h("h2", { id: "cut-heading" }, `Cut ${money(answer.payable_cents)}`), cut(answer.cheques, answer.stacks),
          answer.breakage_cents ? h("p", { class: "small dim" }, `No cheque pays the last ${money(answer.breakage_cents)}.`) : null,
          back ? h("p", { class: "small" }, [Object.keys(answer.take_back).length && `Take back ${chequeWords(answer.take_back)}. `, Object.keys(answer.add).length && `Add ${chequeWords(answer.add)}.`].filter(Boolean).join("")) : null) : null,
        answer && Object.keys(answer.fill).length ? note("wait", "The tray is short.", `Ask for a fill of ${chequeWords(answer.fill)}.`) : null,
        (answer?.approvals ?? []).map((each) => note("wait", "First a yes.", each.message, "call")),
        answer?.tax?.form ? note("wait", `Papers: ${answer.tax.form}.`, "Call the supervisor before it is paid.") : null),
      h("aside", { class: "panel stack", "aria-label": "What was paid" },
        h("p", { class: "dim" }, `${cap(entry.name)}, ${money(entry.body.stake_cents)}${entry.body.seat ? `, seat ${entry.body.seat}` : ""}`),
        h("div", { class: "term__hands" }, [["Player", entry.body.player_cards ?? []], ["Dealer", entry.body.dealer_cards ?? [entry.body.dealer_up].filter(Boolean)]].map(([label, codes]) =>
          codes.length ? h("div", { class: "slots" }, h("span", { class: "small dim" }, label), h("span", { class: "hand" }, codes.map((code) => card(code)))) : null)),
        drawPaid(entry),
        button("Next payout", () => { shown = null; claim = fresh({ wager: claim.wager, stake: claim.stake, seat: null }); redraw(); }, { kind: "btn--l btn--full", k: "next" }),
        entry.paid || entry.paidCents !== undefined ? null : button("Key it again", () => { shown = null; redraw(); }, { kind: "btn--ghost btn--full", k: "again" })));
  };

  terminal.addAct({
    id: "check",
    label: "Check",
    icon: "count",
    open: () => { shown = null; },
    draw: (main, table) => draw(main, shown ? drawAnswer(entryOf(shown.key) ?? shown) : drawKeying(table, wagerOf(table))),
  });

  // The last payouts: what came of each, what was sent late, and what still waits.
  const CHIPS = { right: ["open", "Right"], overpaid: ["bad", "Overpaid"], underpaid: ["bad", "Underpaid"], cannot_verify: ["unknown", "Cannot verify"] };
  const waiting = () => recent().filter((each) => (!each.answer && !each.refusal) || (each.paid?.mismatch && !each.paid.mismatch.settlement)).length;
  const chipOf = (entry) => {
    if (entry.refusal) return ["off", "Refused"];
    return entry.answer ? CHIPS[entry.answer.verdict] : ["wait", "Not checked"];
  };

  terminal.addAct({
    id: "recent",
    label: "Last",
    icon: "shift",
    badge: waiting,
    draw: (main) => draw(main, h("section", { class: "panel panel--tight", "aria-labelledby": "recent-heading" }, h("div", { class: "panel__head" }, h("h2", { id: "recent-heading" }, "Last payouts")),
      recent().length ? h("ul", { class: "recents" }, recent().map((entry) => {
        const [kind, word] = chipOf(entry);
        return h("li", {}, h("button", { type: "button", class: "recents__one", "data-k": entry.key, onclick: () => { terminal.open("check"); shown = entry; redraw(); } },
          h("span", { class: "hand" }, (entry.body.player_cards ?? []).slice(0, 3).map((code) => card(code))),
          h("span", { class: "grow" }, h("b", {}, `${cap(entry.name)}, ${money(entry.body.paid_cents)}`), h("small", {}, entry.refusal || entry.answer?.working || "Kept here until the line is back.")),
          entry.isLate ? h("span", { class: "chip chip--half" }, "Sent late") : null,
          entry.paid?.mismatch ? h("span", { class: `chip chip--${entry.paid.mismatch.settlement ? "open" : "wait"}` }, entry.paid.mismatch.settlement ? "Settled" : "Supervisor told") : null,
          h("span", { class: `chip chip--${kind}` }, word)));
      })) : h("p", { class: "dim" }, "Nothing was checked here yet."))),
  });
})();
