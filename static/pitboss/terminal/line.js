// The line of a terminal: its token, its requests, and an outbox that keeps what was keyed until the server has it.
// A client of /api/v1/ like any vendor's: no cookie is sent, and nothing is asked that the token does not open.
(() => {
  "use strict";
  const API = "/api/v1/";
  const TOKEN = "pitboss-terminal-token";
  const TOKEN_AT = "pitboss-terminal-token-at";
  const OUTBOX = "pitboss-terminal-outbox";
  // A token holds a week at least; a new one each day leaves a table days of no line.
  const RENEWED_MS = 24 * 3600 * 1000;
  const RENEW_AGAIN_MS = 60_000;
  const PATIENCE_MS = 10_000;
  const AGAIN_MS = 2000;

  const keep = (name, value) => {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  };
  const kept = (name, otherwise) => {
    try {
      return JSON.parse(localStorage.getItem(name)) ?? otherwise;
    } catch {
      return otherwise;
    }
  };

  // Whoever wants to know: "line" (is it there), "outbox" (what is kept), "answered", "refused", "put-out".
  const hearers = new Map();
  const on = (name, hear) => hearers.set(name, [...(hearers.get(name) ?? []), hear]);
  const tell = (name, detail) => { for (const hear of hearers.get(name) ?? []) hear(detail); };

  class NoLine extends Error {}
  class Problem extends Error {
    constructor(status, document) {
      super(document.detail ?? window.PitWords.t`No reason given.`);
      this.status = status;
      this.refusals = document.refusals ?? [];
    }
  }

  // The house's clock is the only one that counts; each reading of the table says how far ours is off.
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const setClock = (at) => { aheadMs = Date.parse(at) - Date.now(); };

  let isThere = navigator.onLine;
  const lineIs = (there) => {
    if (there === isThere) return;
    isThere = there;
    tell("line", there);
    if (there) pump();
  };

  const newKey = () => {
    // A terminal on plain http has no randomUUID.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };

  const ask = async (method, path, body = undefined, key = "") => {
    const token = kept(TOKEN, "");
    const headers = { Accept: "application/json", "Accept-Language": window.PitWords.language() };
    if (token) headers.Authorization = `Device ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    let answer;
    try {
      answer = await fetch(API + path, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-store",
        credentials: "omit",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
    } catch {
      lineIs(false);
      throw new NoLine();
    }
    // Too many, or a server that is being started: nothing was decided, so it is asked again.
    if (answer.status === 429 || answer.status >= 500) {
      if (answer.status >= 502) lineIs(false);
      throw new NoLine();
    }
    lineIs(true);
    const told = await answer.json().catch(() => ({}));
    if (answer.ok) return told;
    if (answer.status === 401) tell("put-out", told.detail ?? "");
    throw new Problem(answer.status, told);
  };

  // An answer that goes on: it has no time to be whole in.
  const stream = (path, headers, signal) =>
    fetch(API + path, {
      headers: { ...headers, Accept: "text/event-stream", Authorization: `Device ${kept(TOKEN, "")}` },
      cache: "no-store",
      credentials: "omit",
      signal,
    });

  const setToken = (token) => {
    keep(TOKEN, token);
    keep(TOKEN_AT, token === null ? null : now().getTime());
  };

  // The old token holds until the new one is used, so an answer that is lost costs nothing.
  let renewedAt = 0;
  const renew = async () => {
    const at = now().getTime();
    if (!kept(TOKEN, "") || at - kept(TOKEN_AT, 0) < RENEWED_MS || at - renewedAt < RENEW_AGAIN_MS) return;
    renewedAt = at;
    setToken((await ask("POST", "token")).token);
  };

  // The outbox: one after the other, each under one key however often it is sent, so that it is done once. What follows
  // from an answer that has not come yet names the act before it, and the field of that answer that its address needs.
  const outbox = () => kept(OUTBOX, []);
  const setOutbox = (items) => {
    keep(OUTBOX, items);
    tell("outbox", items);
  };

  const post = (path, body, { what = "", after = null } = {}) => {
    const item = { key: newKey(), path, body, what, after, keyedAt: now().toISOString(), isLate: false };
    setOutbox([...outbox(), item]);
    pump();
    return item.key;
  };

  const done = (item, answer) => {
    const rest = outbox().filter((each) => each.key !== item.key);
    for (const each of rest) {
      if (each.after?.key !== item.key) continue;
      each.path = each.path.replace("{}", answer[each.after.field]);
      each.after = null;
    }
    setOutbox(rest);
    tell("answered", { item, answer });
  };

  const refused = (item, problem) => {
    const gone = outbox().filter((each) => each.key === item.key || each.after?.key === item.key);
    setOutbox(outbox().filter((each) => !gone.includes(each) && !gone.some((one) => one.key === each.key)));
    for (const each of gone) tell("refused", { item: each, problem });
  };

  let isPumping = false;
  let timer = 0;
  const pump = async () => {
    if (isPumping || !kept(TOKEN, "")) return;
    isPumping = true;
    clearTimeout(timer);
    try {
      for (let [item] = outbox(); item; [item] = outbox()) {
        try {
          done(item, await ask("POST", item.path, item.body, item.key));
        } catch (error) {
          if (!(error instanceof Problem)) {
            setOutbox(outbox().map((each) => ({ ...each, isLate: true })));
            timer = setTimeout(pump, AGAIN_MS);
            return;
          }
          // Put out: what was keyed is kept for the next token.
          if (error.status === 401) return;
          refused(item, error);
        }
      }
    } finally {
      isPumping = false;
    }
  };

  addEventListener("online", pump);
  addEventListener("offline", () => lineIs(false));

  window.PitLine = {
    ask,
    stream,
    post,
    pump,
    on,
    now,
    setClock,
    newKey,
    keep,
    kept,
    outbox,
    Problem,
    isThere: () => isThere,
    isEnrolled: () => Boolean(kept(TOKEN, "")),
    renew,
    setToken,
  };
})();
