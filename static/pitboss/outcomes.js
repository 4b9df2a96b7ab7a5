// No answer came: what became of the form? Its request id is asked for until it is known, and then it is said.
(() => {
  "use strict";
  const AGAIN_MS = [1000, 2000, 4000, 8000, 10_000];
  const PATIENCE_MS = 8000;
  const UNKNOWN = {
    state: "unknown",
    wrong: "We don’t know yet if this was saved.",
    to_do: "Check whether it was done before you do it again.",
    url: "",
  };
  const KEPT = "pitboss-kept:";

  const wait = (milliseconds) =>
    new Promise((done) => {
      setTimeout(done, milliseconds);
    });

  const askOnce = async (url, token) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": token },
      credentials: "same-origin",
      redirect: "manual",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (answer.headers.get("Content-Type")?.includes("json")) return answer.json();
    // Signed out meanwhile, or a form of another time: nobody here will learn it.
    return answer.type === "opaqueredirect" || (answer.status >= 400 && answer.status < 500)
      ? UNKNOWN
      : null;
  };

  // Returns what became of it, or null when whoever asked has gone.
  const ask = async (url, token, isWanted) => {
    for (let times = 0; isWanted(); times += 1) {
      const told = await askOnce(url, token).catch(() => null);
      if (told && told.state !== "under_way") return told;
      await wait(AGAIN_MS[Math.min(times, AGAIN_MS.length - 1)]);
    }
    return null;
  };

  const newId = () => {
    // A tablet on plain http has no randomUUID.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  };

  // What was given up is never done: a form that was kept on the device is sent under an id of its own.
  const forgetId = (requestId) => {
    for (const key of Object.keys(sessionStorage).filter((each) => each.startsWith(KEPT))) {
      try {
        const stored = JSON.parse(sessionStorage.getItem(key));
        if (stored.kept.request_id !== requestId) continue;
        delete stored.kept.request_id;
        sessionStorage.setItem(key, JSON.stringify(stored));
      } catch {
        // Not ours, or no room: the form says so when it is sent.
      }
    }
  };

  const idIn = (url) => url.split("/").at(-2);

  // A whole page that says that it is not known yet.
  const onPage = async (form) => {
    if (form.dataset.isAsking) return;
    form.dataset.isAsking = "1";
    const url = form.getAttribute("action");
    const told = await ask(
      url,
      form.elements.csrfmiddlewaretoken?.value ?? "",
      () => form.isConnected,
    );
    if (!told) return;
    if (told.state === "not_done") forgetId(idIn(url));
    const main = form.closest("main");
    main.querySelector("[data-outcome-wrong]").textContent = told.wrong;
    main.querySelector("[data-outcome-to-do]").textContent = told.to_do;
    const link = main.querySelector("[data-outcome-link]");
    link.classList.add("btn--act");
    if (told.url) {
      link.href = told.url;
      link.textContent = told.label;
    }
    form.remove();
    link.focus();
  };

  // A form that still stands on its page, with its note above the button.
  const onForm = async (form, say) => {
    const requestId = form.elements.request_id?.value;
    if (!requestId || form.dataset.isAsking) return;
    form.dataset.isAsking = "1";
    const button = form.querySelector("[type=submit]");
    button.disabled = true;
    const told = await ask(
      `/requests/${requestId}/`,
      form.elements.csrfmiddlewaretoken?.value ?? "",
      () => form.isConnected,
    );
    delete form.dataset.isAsking;
    if (!told) return;
    if (told.state !== "done") {
      button.disabled = false;
      if (told.state === "not_done") {
        forgetId(requestId);
        form.elements.request_id.value = newId();
      }
    }
    say(told);
  };

  const look = (within) => {
    for (const form of within.querySelectorAll("[data-ask-outcome]")) onPage(form);
  };
  document.addEventListener("htmx:load", (event) => look(event.detail.elt));
  if (document.readyState === "loading")
    document.addEventListener("DOMContentLoaded", () => look(document));
  else look(document);

  window.PitOutcomes = { onForm };
})();
