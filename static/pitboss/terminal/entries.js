// Payouts that were sent to be checked: what came of each, the approval or slip that it waits for, and what was paid.
(() => {
  "use strict";
  const { t, word } = window.PitWords;
  const { h, draw, money, card, cut, chequeWords, shape, button, note, byValue, cap } = window.PitParts;
  const line = window.PitLine;
  const terminal = window.PitTerminal;
  const RECENT = "pitboss-terminal-recent";
  const RECENT_MOST = 24;

  // The payout whose page is open; and the last ones, kept over a reload.
  let shown = null;
  const recent = () => line.kept(RECENT, []);
  const hearers = [];
  const changed = () => {
    for (const hear of hearers) hear();
    if (terminal.isOpen("payout") || terminal.isOpen("recent")) terminal.redraw();
    else terminal.redrawActs();
  };
  const remember = (entry) => {
    const others = recent().filter((each) => each.key !== entry.key);
    line.keep(RECENT, [entry, ...others].slice(0, RECENT_MOST));
    if (shown?.key === entry.key) shown = entry;
    changed();
  };
  const entryOf = (key) => recent().find((each) => each.key === key);

  // One bet and the amount about to be paid on it: kept here until the server has judged it.
  const send = (name, claim, more = {}) => {
    const body = { ...claim, keyed_at: line.now().toISOString() };
    const key = line.post("checks", body, { what: "Check" });
    const entry = { key, name, body, answer: null, paid: null, refusal: "", ...more };
    remember(entry);
    return entry;
  };

  // What sends out much waits for the supervisor: asked for as soon as the verdict is there.
  const waits = (answer) => answer?.level === "approval";
  const askApproval = (entry) => {
    const approvalKey = line.post(`checks/${entry.answer.check}/approval`, {}, { what: "Approval" });
    return { ...entry, approvalKey, approval: null };
  };

  const confirm = (entry, cents, isOut = false) => {
    const body = { paid_cents: cents, keyed_at: line.now().toISOString() };
    if (isOut) body.already_paid = true;
    const isKnown = entry.answer !== null;
    const path = `checks/${isKnown ? entry.answer.check : "{}"}/paid`;
    const paidKey = line.post(path, body, { what: "Paid", after: isKnown ? null : { key: entry.key, field: "check" } });
    remember({ ...entry, paidKey, paidCents: cents });
  };

  line.on("answered", ({ item, answer }) => {
    if (item.what === "Check") {
      const entry = entryOf(item.key);
      if (entry) remember(waits(answer) && answer.verdict === "right" && !item.isLate && entry.paidCents === undefined ? askApproval({ ...entry, answer }) : { ...entry, answer, isLate: item.isLate });
    } else if (item.what === "Approval") {
      const entry = recent().find((each) => each.approvalKey === item.key);
      if (entry) remember({ ...entry, approval: answer });
    } else if (item.what === "Paid") {
      const entry = recent().find((each) => each.paidKey === item.key);
      if (entry) remember({ ...entry, paid: answer });
    }
  });
  line.on("refused", ({ item, problem }) => {
    const entry = entryOf(item.key) ?? recent().find((each) => [each.paidKey, each.approvalKey].includes(item.key));
    if (!entry) return;
    // An approval that is too old is asked for again; what was told as paid was not taken.
    const isOld = item.what === "Paid" && problem.refusals?.some((each) => each.code === "approval_expired");
    remember(isOld ? askApproval({ ...entry, paidKey: undefined, paidCents: undefined }) : { ...entry, refusal: problem.message });
  });

  // The supervisor's answer, within a poll of its tap.
  terminal.onTable(async () => {
    for (const entry of recent()) {
      if (entry.approval?.state !== "waiting" || entry.isCorrected || entry.paidCents !== undefined || entry.refusal) continue;
      try {
        const approval = await line.ask("GET", `checks/${entry.answer.check}/approval`);
        if (approval.state !== "waiting") remember({ ...entry, approval });
      } catch {
        return; // No line, or no token: the next reading of the table asks again.
      }
    }
  });

  terminal.onTable(() => window.PitBigWin.follow(recent(), remember));

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

  const WORDS = {
    right: (answer) => t`Right. Pay ${money(answer.payable_cents)}.`,
    overpaid: (answer) => t`Do not pay ${money(answer.paid_cents)}. Pay ${money(answer.payable_cents)}.`,
    underpaid: (answer) => t`Too low. Pay ${money(answer.payable_cents)}, not ${money(answer.paid_cents)}.`,
    cannot_verify: () => t`Can’t verify. Call the supervisor.`,
  };
  const KINDS = { right: "right", overpaid: "bad", underpaid: "bad", cannot_verify: "unknown" };

  const verdictOf = (entry) => {
    const { answer } = entry;
    if (!answer) {
      return h("section", { class: "verdict verdict--unknown", role: "alert" }, shape("kept"),
        h("h2", {}, entry.refusal ? t`Refused.` : line.isThere() ? t`Checking…` : t`Not checked.`),
        h("p", {}, word(entry.refusal) || (line.isThere() ? t`Checking with the server…` : t`You’re offline. This is saved here and sends automatically when you’re back online, marked late.`)));
    }
    const difference = answer.difference_cents;
    return h("section", { class: `verdict verdict--${KINDS[answer.verdict]}`, role: "alert", "data-verdict": answer.verdict }, shape(answer.verdict),
      h("h2", {}, WORDS[answer.verdict](answer)),
      h("p", {}, difference ? `${difference > 0 ? t`Over by ${money(difference)}.` : t`Under by ${money(-difference)}.`} ` : "", answer.working, entry.isLate ? h("b", {}, " ", t`Sent late.`) : null));
  };

  // The button waits with the dealer and then opens; what is out already is told, and flagged.
  const drawApproval = (entry, owed) => {
    const { approval } = entry;
    if (approval?.state === "granted") {
      return [note("good", t`Approved by ${approval.answered_by}.`, approval.is_standing ? t`By a standing approval.` : "", "check"),
        button(t`Paid ${money(owed)}`, () => confirm(entry, owed), { kind: "btn--act btn--l btn--full", k: `paid-${owed}` })];
    }
    if (!entry.approvalKey) return [button(t`Ask for approval of ${money(owed)}`, () => remember(askApproval(entry)), { kind: "btn--act btn--l btn--full", k: "ask-approval" })];
    const out = button(t`Already paid`, () => confirm(entry, owed, true), { kind: "btn--stop btn--l btn--full", k: "already-paid" });
    const flagged = h("p", { class: "small dim" }, t`The pit manager is notified of a payout without approval.`);
    if (approval?.state === "declined") return [note("bad", t`${approval.answered_by} declined.`, approval.reason), out, flagged];
    return [h("button", { type: "button", class: "btn btn--l btn--full btn--waits", "data-k": "waits", "aria-disabled": "true", "aria-describedby": "waits-why" }, t`Waiting for approval`),
      h("p", { class: "small", id: "waits-why" }, t`${money(owed)}. It changes to Paid ${money(owed)} when the supervisor approves.`), out, flagged];
  };

  const drawPaid = (entry) => {
    const { answer, paid } = entry;
    const claimed = entry.body.paid_cents;
    if (entry.refusal) return [note("bad", t`Refused.`, word(entry.refusal))];
    if (paid) {
      const { mismatch } = paid;
      if (!mismatch) return [paid.is_unapproved ? note("wait", t`${money(paid.paid_cents)} paid without approval.`, t`The pit manager is notified.`, "call") : note("good", t`${money(paid.paid_cents)} paid.`, t`Correct.`, "check")];
      const { settlement } = mismatch;
      return [settlement
        ? note("good", settlement.way === "corrected" ? t`Corrected: ${money(settlement.stands_cents)} stands.` : t`${money(settlement.stands_cents)} stands as paid.`, t`Signed by ${settlement.by}.`, "check")
        : note("wait", t`${money(paid.paid_cents)} paid. The supervisor has been notified.`, t`Leave the cheques in place.`, "call")];
    }
    if (entry.paidCents !== undefined) return [note("wait", t`${money(entry.paidCents)} paid.`, line.isThere() ? t`Sent.` : t`Saved here. Sends automatically when you’re back online.`, "no-line")];
    // What the dealer says is out is out: it is never held back for an approval.
    const act = (label, cents, kind, isOut = true) => button(label, () => confirm(entry, cents, isOut), { kind: `${kind} btn--l btn--full`, k: `paid-${cents}` });
    if (!answer) return line.isThere() ? [] : [act(t`I paid ${money(claimed)}`, claimed, "")];
    if (answer.verdict === "cannot_verify") {
      return [button(t`Call the supervisor`, terminal.call, { kind: "btn--act btn--l btn--full", k: "call-now" }), act(t`I paid ${money(claimed)} anyway`, claimed, "btn--stop")];
    }
    const owed = answer.payable_cents;
    const other = answer.verdict === "right" ? null : act(t`I paid ${money(claimed)}`, claimed, "btn--stop");
    if (answer.level === "big_win" && !entry.isLate) {
      const out = entry.bigWin ? [] : [button(t`Already paid`, () => confirm(entry, owed, true), { kind: "btn--stop btn--full", k: "already-paid" })];
      return [...window.PitBigWin.draw(entry, remember), ...out, other];
    }
    // A jackpot has its own screen, with what was keyed here.
    if (answer.level === "jackpot" && !entry.isLate) return [button(t`Enter jackpot`, () => terminal.enterHit(entry.body), { kind: "btn--act btn--l btn--full", k: "enter-jackpot" })];
    if (!waits(answer) || entry.isLate) return [act(t`Paid ${money(owed)}`, owed, "btn--act", false), other];
    return [...drawApproval(entry, owed), other];
  };

  const open = (entry) => {
    shown = entry;
    terminal.open("payout");
  };

  const drawAnswer = (entry) => {
    const { answer } = entry;
    const back = Object.keys(answer?.take_back ?? {}).length || Object.keys(answer?.add ?? {}).length;
    return h("div", { class: "term term--answer" },
      h("div", { class: "stack" },
        verdictOf(entry),
        answer?.cheques && byValue(answer.cheques).length ? h("section", { class: "panel", "aria-labelledby": "cut-heading" }, h("h2", { id: "cut-heading" }, t`Cut ${money(answer.payable_cents)}`), cut(answer.cheques, answer.stacks),
          answer.breakage_cents ? h("p", { class: "small dim" }, t`${money(answer.breakage_cents)} can’t be paid in cheques.`) : null,
          back ? h("p", { class: "small" }, [Object.keys(answer.take_back).length && t`Collect ${chequeWords(answer.take_back)}.`, Object.keys(answer.add).length && t`Add ${chequeWords(answer.add)}.`].filter(Boolean).join(" ")) : null) : null,
        (answer?.warnings ?? []).map((each) => note("wait", t`Outside the rules of this table.`, word(each.message))),
        answer && Object.keys(answer.fill).length ? note("wait", t`The tray is short.`, t`Ask for a fill of ${chequeWords(answer.fill)}.`) : null,
        (answer?.approvals ?? []).map((each) => note("wait", t`Approval needed.`, word(each.message), "call")),
        answer?.tax?.form ? note("wait", t`Forms: ${answer.tax.form}.`, t`Call the supervisor before you pay.`) : null),
      h("aside", { class: "panel stack", "aria-label": t`What was paid` },
        h("p", { class: "dim" }, [cap(word(entry.name)), entry.answer && money(entry.answer.stake_cents), entry.body.seat && t`Seat ${entry.body.seat}`].filter(Boolean).join(" · ")),
        h("div", { class: "term__hands" }, [[t`Player`, entry.body.player_cards ?? []], [t`Dealer`, entry.body.dealer_cards ?? [entry.body.dealer_up].filter(Boolean)]].map(([label, codes]) =>
          codes.length ? h("div", { class: "slots" }, h("span", { class: "small dim" }, label), h("span", { class: "hand" }, codes.map((code) => card(code)))) : null)),
        drawPaid(entry),
        button(terminal.isByBets(terminal.table()) ? t`Next bet` : t`Back to the felt`, terminal.home, { kind: "btn--l btn--full", k: "next" })));
  };

  terminal.addAct({
    id: "payout",
    draw: (main) => draw(main, drawAnswer(entryOf(shown.key) ?? shown)),
  });

  // The last payouts: what came of each, what was sent late, and what still waits.
  const CHIPS = { right: () => ["open", t`Right`], overpaid: () => ["bad", t`Overpaid`], underpaid: () => ["bad", t`Underpaid`], cannot_verify: () => ["unknown", t`Can’t verify`] };
  // Judged, and not paid yet: it waits for an approval, or has it.
  const isOpen = (entry) => Boolean(entry.approvalKey) && !entry.isCorrected && !entry.paid && entry.paidCents === undefined && !entry.refusal && entry.approval?.state !== "declined";
  const waiting = () => recent().filter((each) => isOpen(each) || (!each.answer && !each.refusal) || (each.paid?.mismatch && !each.paid.mismatch.settlement)).length;
  const chipOf = (entry) => {
    if (entry.refusal) return ["off", t`Refused`];
    return entry.answer ? CHIPS[entry.answer.verdict]() : ["wait", t`Not checked`];
  };

  terminal.addAct({
    id: "recent",
    get label() { return t`History`; },
    icon: "shift",
    badge: waiting,
    draw: (main) => draw(main, h("section", { class: "panel panel--tight", "aria-labelledby": "recent-heading" }, h("div", { class: "panel__head" }, h("h2", { id: "recent-heading" }, t`Last payouts`)),
      recent().length ? h("ul", { class: "recents" }, recent().map((entry) => {
        const [kind, came] = chipOf(entry);
        return h("li", {}, h("button", { type: "button", class: "recents__one", "data-k": entry.key, onclick: () => open(entry) },
          h("span", { class: "hand" }, (entry.body.player_cards ?? []).slice(0, 3).map((code) => card(code))),
          h("span", { class: "grow" }, h("b", {}, `${cap(word(entry.name))}, ${money(entry.body.paid_cents)}`), h("small", {}, word(entry.refusal) || entry.answer?.working || t`Saved here until you’re back online.`)),
          entry.isLate ? h("span", { class: "chip chip--half" }, t`Sent late`) : null,
          entry.paid?.mismatch ? h("span", { class: `chip chip--${entry.paid.mismatch.settlement ? "open" : "wait"}` }, entry.paid.mismatch.settlement ? t`Settled` : t`Supervisor notified`) : null,
          h("span", { class: `chip chip--${kind}` }, came)));
      })) : h("p", { class: "dim" }, t`No payouts checked yet.`))),
  });

  window.PitEntries = { recent, send, open, confirm, remember, drawPaid, verdictOf, isOpen, onChange: (hear) => hearers.push(hear) };
})();
