// The dealer's terminal: enrolment, the bar, the acts, and the table, read again at each event and every two seconds without.
// An act is {id, label, icon, draw(main, table)} and adds itself by PitTerminal.addAct; `badge()` may give it a number, and
// `isShown(table)` leave it out at tables that have no use for it.
(() => {
  "use strict";
  const { t, word, language, setLanguage, names } = window.PitWords;
  const { h, draw, icon, note, refusals, setCheques, money } = window.PitParts;
  const line = window.PitLine;
  const POLL_MS = 2000;
  // While events come, the table is read again at each of them, and once in a while for what has no event.
  const POLL_BESIDE_EVENTS_MS = 15_000;
  // Acts come in twos and threes: one reading is enough for them.
  const TOGETHER_MS = 50;
  const FIRST = "felt";
  // The table as it was read last: what a reload without a connection begins with.
  const LAST = "pitboss-terminal-table";

  const acts = [];
  let table = null;
  let current = null;
  const hearers = [];

  const parts = () => Object.fromEntries(["bar", "main", "acts", "news"].map((id) => [id, document.getElementById(id)]));

  const minutes = (since) => Math.max(0, Math.floor((line.now() - Date.parse(since)) / 60_000));

  const clock = () =>
    new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: document.body.dataset.zone || undefined }).format(line.now());

  const drawBar = () => {
    const { bar } = parts();
    const waits = line.outbox().length;
    const there = line.isThere();
    document.documentElement.classList.toggle("no-line", !there);
    draw(bar,
      h("h1", {}, table?.table ?? t`Terminal`),
      h("p", { class: "term__sum grow hide-s" }, table && [h("span", {}, word(table.game.name)), h("span", {}, `${money(table.minimum_cents)}–${money(table.maximum_cents).slice(1)}`), table.round && h("span", {}, t`Round ${table.round}`)]),
      table?.coming && h("span", { class: "chip chip--wait" }, `${money(table.coming.minimum_cents)}–${money(table.coming.maximum_cents).slice(1)} · ${word(table.coming.words)}`),
      table?.closing_after_shoe_since && h("span", { class: "chip chip--wait" }, t`Closing after this shoe`),
      h("span", { class: "grow show-s" }),
      h("span", { class: "live", role: "status" }, there ? (waits ? t`Sending ${waits}` : t`Live`) : waits ? t`Offline, ${waits} saved` : t`Offline`),
      h("time", { class: "bar__time hide-s" }, clock()),
      Object.keys(names).filter((code) => code !== language()).map((code) =>
        h("button", { type: "button", class: "btn btn--ghost hide-s", lang: code, "data-k": `bar-${code}`, onclick: () => { setLanguage(code); redraw(); } }, names[code])),
      table && h("button", { type: "button", class: "btn", "data-k": "call", "aria-disabled": table.supervisor_called_since ? "true" : null, onclick: call },
        icon("call"), h("span", {}, table.supervisor_called_since ? t`Called ${minutes(table.supervisor_called_since)} min` : [h("span", { class: "show-s" }, t`Call`), h("span", { class: "hide-s" }, t`Call supervisor`)])),
      table && h("button", { type: "button", class: "who btn btn--ghost", "data-k": "dealer", onclick: () => open("dealer") }, icon("dealer"),
        h("span", {}, h("b", {}, table.dealer?.name ?? t`No dealer`), h("span", {}, table.dealer ? t`${minutes(table.dealer.since)} min` : t`tap in`))));
  };

  const call = () => {
    if (table.supervisor_called_since) return;
    line.post("calls", {}, { what: "Call" });
    table = { ...table, supervisor_called_since: line.now().toISOString() };
    drawBar();
  };

  const drawActs = () => {
    const { acts: nav } = parts();
    draw(nav, acts.filter((act) => act.label && (!act.isShown || (table && act.isShown(table)))).map((act) => {
      const count = act.badge?.() ?? 0;
      return h("button", { type: "button", "data-k": `act-${act.id}`, "aria-current": act === current ? "page" : null, onclick: () => open(act.id) },
        icon(act.icon), h("span", {}, act.label), count ? h("span", { class: "badge" }, String(count)) : null);
    }));
  };

  const open = (id) => {
    current = acts.find((act) => act.id === id);
    current.open?.();
    redraw();
    parts().main.scrollTo?.(0, 0);
  };

  // Where a dealer works: the felt, or the bets of a game that is checked bet by bet.
  // What few tables need is loaded there alone.
  const isByBets = (told) => told.wagers.some((each) => each.bets?.length);
  let bets = null;
  const home = () => {
    if (!isByBets(table)) return open(FIRST);
    bets ??= new Promise((done) => { document.head.append(h("script", { src: document.body.dataset.bets, onload: done })); });
    return bets.then(() => open("bet"));
  };

  // A button that is replaced under a finger takes no tap: what is drawn anew waits until the finger is up.
  let isPressed = false;
  let isDue = false;
  addEventListener("pointerdown", () => { isPressed = true; }, true);
  for (const name of ["pointerup", "pointercancel"]) {
    addEventListener(name, () => {
      isPressed = false;
      if (isDue) setTimeout(redraw);
    }, true);
  }

  const redraw = () => {
    isDue = isPressed;
    if (isPressed) return;
    drawBar();
    drawActs();
    if (table && current) current.draw(parts().main, table);
  };

  const say = (kind, title, text = "", name = undefined) => {
    const said = note(kind, title, text, name ?? (kind === "good" ? "check" : "warn"));
    parts().news.append(said);
    setTimeout(() => said.remove(), 6000);
  };

  const take = (told) => {
    const isFirst = table === null;
    table = told;
    setCheques(told.cheques);
    if (isFirst) home();
    else drawBar();
    for (const hear of hearers) hear(told);
  };

  // Loaded again without a connection: the felt of the table as it was, and nothing is called right.
  const takeLast = () => {
    const last = line.kept(LAST, null);
    if (!last) {
      draw(parts().main, note("wait", t`You’re offline.`, t`The table shows when you’re back online.`, "no-line"));
      return;
    }
    take(last);
    say("wait", t`You’re offline.`, t`Payouts aren’t checked. What you enter is saved here and sent later.`, "no-line");
  };

  let timer = 0;
  let isPolling = false;
  let isPollWanted = false;
  const pollPause = () => {
    if (isPollWanted) return TOGETHER_MS;
    return window.PitEvents.isOpen() ? POLL_BESIDE_EVENTS_MS : POLL_MS;
  };
  const poll = async () => {
    clearTimeout(timer);
    if (!line.isEnrolled()) return;
    isPolling = true;
    isPollWanted = false;
    try {
      const told = await line.ask("GET", "table");
      line.setClock(told.at);
      take(told);
      line.keep(LAST, told);
      // Its own matter: a table is dealt on whether or not there is a new token yet.
      line.renew().catch(() => {});
    } catch (problem) {
      if (problem instanceof line.Problem && problem.status !== 401 && table === null) draw(parts().main, refusals(problem));
      if (!(problem instanceof line.Problem) && table === null) takeLast();
    }
    isPolling = false;
    timer = setTimeout(poll, pollPause());
  };

  // What happens while the table is read may be missing from that reading.
  const pollSoon = () => {
    isPollWanted = true;
    if (isPolling) return;
    clearTimeout(timer);
    timer = setTimeout(poll, TOGETHER_MS);
  };

  // Enrolment: a code that a manager was given, keyed once.
  const drawEnrolment = (problem = null) => {
    table = null;
    drawBar();
    draw(parts().acts);
    const field = h("input", { class: "input input--amount", id: "code", name: "code", maxlength: 12, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true });
    const form = h("form", { class: "panel stack narrow" },
      h("h2", {}, t`Assign this terminal to a table`),
      h("p", { class: "dim" }, t`Ask a manager for a code from the Devices page. It works once and expires in 15 minutes.`),
      h("div", { class: "field" }, h("label", { for: "code" }, t`Code`), field),
      problem && refusals(problem),
      h("button", { class: "btn btn--act btn--l btn--full", type: "submit" }, t`Enroll`));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        const told = await line.ask("POST", "enrol", { code: field.value });
        if (!told.table) throw new line.Problem(422, { detail: t`That code was for a tablet, not a table terminal, and it’s now used up. Ask for a new one.` });
        line.setToken(told.token);
        start();
      } catch (error) {
        drawEnrolment(error instanceof line.Problem ? error : { message: t`You’re offline. Try again when you’re back online.` });
      }
    });
    draw(parts().main, form);
    field.focus();
    // A manager's link brings its code along; it is used at once, and stays in no history.
    const brought = /^#code=([\w-]{1,12})$/.exec(location.hash);
    if (!brought) return;
    history.replaceState(null, "", location.pathname);
    field.value = brought[1];
    form.requestSubmit();
  };

  const start = () => {
    poll();
    line.pump();
    window.PitEvents.start(pollSoon);
  };

  const redrawAround = () => {
    if (!table) return;
    drawBar();
    drawActs();
  };
  line.on("line", redrawAround);
  line.on("outbox", redrawAround);
  line.on("put-out", () => {
    if (!line.isEnrolled()) return;
    line.setToken(null);
    line.keep(LAST, null);
    drawEnrolment({ message: t`This terminal was removed or its token was replaced. Enter a new code.` });
  });
  line.on("refused", ({ item, problem }) => {
    if (item.what === "Call") say("bad", t`Not called.`, word(problem.message));
  });

  window.PitTerminal = {
    addAct: (act) => (act.id === FIRST ? acts.unshift(act) : acts.push(act)),
    open,
    home,
    isByBets,
    redraw,
    redrawActs: redrawAround,
    call,
    say,
    onTable: (hear) => hearers.push(hear),
    table: () => table,
    isOpen: (id) => current?.id === id,
  };

  addEventListener("DOMContentLoaded", () => {
    setInterval(() => { if (table) drawBar(); }, 15_000);
    if (line.isEnrolled() && !location.hash.startsWith("#code=")) start();
    else drawEnrolment();
  });
})();
