// What else a dealer does at the terminal: enter a jackpot, tap in and out, read the table's limits and pay tables.
(() => {
  "use strict";
  const { t, word } = window.PitWords;
  const { h, draw, money, card, cardGrid, button, choice, jobCard, note, pad, cap } = window.PitParts;
  const line = window.PitLine;
  const terminal = window.PitTerminal;
  const SEATS = 7;
  const oddsOf = (pays) => {
    const [to, per] = pays.split(":");
    return t`${to} to ${per}`;
  };

  // Jackpot: what the seat holds, then the dealer's PIN, which stops the meter. A signature is never kept for later.
  const METERED = ["blazing_7s", "lucky_ladies"];
  let hit = null;
  let followed = [];
  const freshHit = (wager) => ({ wager, seat: null, stake: null, cards: [], key: line.newKey() });

  const enter = async (keyed) => {
    const [first, second, up] = hit.cards;
    const body = { ...keyed, seat: hit.seat, wager: hit.wager, player_cards: [first, second], dealer_cards: [up], stake_cents: hit.stake };
    const entered = await line.ask("POST", "jackpots", body, hit.key);
    hit = null;
    terminal.say("good", t`${entered.serial} entered.`, t`The meter has stopped.`);
    await follow();
  };

  const follow = async () => {
    try {
      const told = await line.ask("GET", "jackpots");
      const isNews = JSON.stringify(told) !== JSON.stringify(followed);
      followed = told;
      if (!isNews) return;
      // A pad that somebody keys their PIN on is left alone.
      if (terminal.isOpen("jackpot") && !hit?.cards.length) terminal.redraw();
      else terminal.redrawActs();
    } catch {
      // No line: what is shown stays, and the bar says so.
    }
  };
  terminal.onTable((table) => { if (Object.keys(table.meters).length) follow(); });

  const drawFollowed = () => followed.map((each) => h("section", { class: "panel stack jackpot", "aria-label": each.serial },
    h("div", { class: "panel__head" }, h("h2", {}, t`${each.serial}, seat ${each.seat}`), h("span", { class: "chip chip--jack" }, each.state)),
    h("p", { class: "meter" }, money(each.award_cents)),
    h("ol", { class: "working" }, each.steps.map((step) => h("li", {}, `${word(step.title)}: ${word(step.state)}${step.who ? `, ${step.who}` : ""}`)))));

  const drawJackpot = (main, table) => {
    const wagers = table.wagers.filter((each) => METERED.includes(each.wager));
    if (!wagers.length) return draw(main, note("info", t`No progressive on this table.`, t`Its bets are paid from the tray.`, "jackpot"));
    hit ??= freshHit(wagers[0].wager);
    const wager = wagers.find((each) => each.wager === hit.wager) ?? wagers[0];
    const asksStake = wager.stakes_cents.length > 1;
    if (!asksStake) hit.stake = wager.stakes_cents[0] ?? null;
    const isKeyed = hit.cards.length === 3 && hit.seat && hit.stake;
    const set = (changes) => { Object.assign(hit, changes, { key: line.newKey() }); terminal.redraw(); };
    return draw(main, h("div", { class: "stack" }, drawFollowed(), h("div", { class: "term" },
      h("section", { class: "stack stack--s", "aria-label": t`The hit` },
        choice("bet", t`Bet`, wagers.map((each) => ({ value: each.wager, label: cap(each.name) })), wager.wager, (value) => { hit = freshHit(value); terminal.redraw(); }),
        choice("at", t`Seat`, Array.from({ length: SEATS }, (_, at) => ({ value: at + 1, label: String(at + 1) })), hit.seat, (seat) => set({ seat })),
        asksStake ? choice("staked", t`Stake`, wager.stakes_cents.map((cents) => ({ value: cents, label: money(cents) })), hit.stake, (stake) => set({ stake })) : null,
        h("div", { class: "term__hands" }, h("div", { class: "slots" }, h("span", { class: "small dim" }, t`First, second, dealer’s up card`), h("span", { class: "hand" }, hit.cards.map((code) => card(code)), hit.cards.length ? null : h("span", { class: "slot-room" }, "–"))),
          hit.cards.length ? button(t`Clear`, () => set({ cards: [] }), { kind: "btn--ghost", k: "hit-clear" }) : null),
        cardGrid((code) => { if (hit.cards.length < 3) set({ cards: [...hit.cards, code] }); })),
      isKeyed ? pad({ attests: table.attests?.jackpot, label: t`Stop the meter`, send: enter })
        : h("section", { class: "panel" }, h("p", { class: "dim" }, t`Enter the bet, seat, and three cards. Your badge and PIN stop the meter.`)))));
  };

  terminal.addAct({ id: "jackpot", get label() { return t`Jackpot`; }, icon: "jackpot", badge: () => followed.filter((each) => each.state === "pending").length, open: () => { hit = null; follow(); }, draw: drawJackpot });

  // A hit that was checked: what was keyed for the check is not keyed again.
  terminal.enterHit = (body) => {
    terminal.open("jackpot");
    const up = body.dealer_up ?? body.dealer_cards?.[0];
    hit = { ...freshHit(body.wager), seat: body.seat ?? null, stake: body.stake_cents, cards: [...(body.player_cards ?? []), up].slice(0, 3) };
    terminal.redraw();
  };

  // The table: limits, the order of paying, what each wager pays.
  const wagerPanel = (wager, at) => h("section", { class: "panel panel--tight", "aria-label": wager.name },
    h("div", { class: "panel__head" }, h("h2", {}, `${at + 1}. ${cap(word(wager.name))}`), h("span", { class: "dim" }, wager.stakes_cents.length ? wager.stakes_cents.map(money).join(" / ") : `${money(wager.minimum_cents)}–${money(wager.maximum_cents).slice(1)}`)),
    h("p", { class: "small dim" }, t`${cap(wager.paytable.name)}, version ${wager.paytable.version}`),
    h("table", { class: "data" }, h("tbody", {}, wager.paytable.rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.name), h("td", { class: "num" }, row.pays))))));

  // How the jobs at this table are done: read when somebody looks, kept while the page is open.
  let jobs = [];
  // A redraw would lose what is keyed on the pad above it, so this part is drawn by itself.
  const tapJobs = h("div", { class: "stack stack--s" });
  const byPart = (cards) => [...new Set(cards.map((each) => each.part))].map((part) => [
    h("h3", { class: "dim" }, word(part)), cards.filter((each) => each.part === part).map(jobCard)]);
  const loadJobs = async () => {
    try {
      jobs = await line.ask("GET", "job-cards");
      draw(tapJobs, jobs.filter((each) => ["tap_out", "burn"].includes(each.job)).map(jobCard));
      if (terminal.isOpen("table")) terminal.redraw();
    } catch {
      // Offline: what was read earlier stays.
    }
  };

  terminal.addAct({
    id: "table",
    get label() { return t`Table`; },
    icon: "board",
    open: loadJobs,
    draw: (main, table) => draw(main, h("div", { class: "stack" },
      h("section", { class: "panel", "aria-label": t`Limits and rules` }, h("dl", { class: "facts" },
        [[t`Game`, word(table.game.name)], [t`Limits`, t`${money(table.minimum_cents)} to ${money(table.maximum_cents)}`], [t`Decks`, String(table.decks)], [t`Soft 17`, table.soft_17 === "hit" ? t`dealer hits` : t`dealer stands`], [t`Blackjack pays`, oddsOf(table.blackjack_pays)],
          ...Object.entries(table.options).map(([name, value]) => [name.replaceAll("_", " "), value]), ...Object.entries(table.meters).map(([name, cents]) => [t`Meter ${name}`, money(cents)])]
          .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))))),
      h("h2", {}, t`Paid in this order`),
      h("div", { class: "wagergrid" }, table.wagers.map(wagerPanel)),
      jobs.length ? h("section", { class: "panel stack stack--s", "aria-labelledby": "jobs" }, h("h2", { id: "jobs" }, t`How the job is done`), byPart(jobs)) : null)),
  });

  // Tap in and out: the one who deals, by badge and PIN.
  let tapKey = line.newKey();
  const tap = (way) => async (keyed) => {
    const told = await line.ask("POST", `dealer/${way}`, keyed, tapKey);
    tapKey = line.newKey();
    terminal.say("good", told.dealer ? t`${told.dealer.name} deals.` : t`Tapped out.`);
    terminal.open("felt");
  };
  let isLeaving = false;

  terminal.addAct({
    id: "dealer",
    icon: "dealer",
    open: () => { isLeaving = false; tapKey = line.newKey(); loadJobs(); },
    draw: (main, table) => draw(main, h("div", { class: "stack narrow" },
      table.dealer ? choice("way", t`Which way`, [{ value: false, label: t`Tap in` }, { value: true, label: t`Tap out` }], isLeaving, (value) => { isLeaving = value; terminal.redraw(); }) : null,
      isLeaving ? pad({ attests: table.attests?.tap_out, label: t`Tap out`, send: tap("out") })
        : pad({ attests: table.attests?.tap_in, label: t`Tap in`, send: tap("in") }),
      tapJobs)),
  });
})();
