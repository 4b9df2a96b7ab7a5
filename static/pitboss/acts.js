// A tap and its answer: one tap is one act, a refusal is read out, a toast goes by itself, an idle tablet locks.
(() => {
  "use strict";
  const SAY_AFTER_MS = 300;
  const TOAST_MS = 6000;
  const KEEP_MS = 15 * 60_000;
  const AWAKE_MS = 20000;
  const LOCK_AGAIN_MS = 15_000;
  const root = document.documentElement;

  // Busy: the pressed button is dead at once and shows its verb when the answer takes its time.
  const busy = new Map();

  const begin = (form, button) => {
    const state = { button, html: button?.innerHTML, timer: 0 };
    if (button) {
      button.setAttribute("aria-busy", "true");
      // Not at once: a disabled button would drop its own name and value from the form.
      setTimeout(() => {
        if (busy.get(form) === state) button.disabled = true;
      });
      if (button.dataset.busy)
        state.timer = setTimeout(() => {
          button.textContent = button.dataset.busy;
        }, SAY_AFTER_MS);
    }
    busy.set(form, state);
  };

  const finish = (form) => {
    const state = busy.get(form);
    if (!state) return;
    busy.delete(form);
    clearTimeout(state.timer);
    if (!state.button) return;
    // While it is not known what became of it, nothing is sent again.
    state.button.disabled = Boolean(form.dataset.isAsking);
    state.button.removeAttribute("aria-busy");
    state.button.innerHTML = state.html;
  };

  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      const button = event.submitter ?? form.querySelector("[type=submit]");
      if (busy.has(form) || button?.getAttribute("aria-disabled") === "true") {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      begin(form, button);
    },
    true,
  );

  document.addEventListener(
    "click",
    (event) => {
      if (!event.target.closest("[aria-disabled=true]")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-print]")) print();
  });

  // Nothing can be unfolded on a printed page: job cards print open and fold again after it.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details.jobcard:not([open])")];
    for (const each of unfolded) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of unfolded) each.open = false;
  });

  document.addEventListener("htmx:afterRequest", (event) => finish(event.detail.elt));

  // No answer: the form stays as it is, and the house is asked what became of it. Its request id sees to that.
  const say = (form, tone, wrong, toDo, link) => {
    form.querySelector("[data-unanswered]")?.remove();
    const note = document.createElement("p");
    note.className = `note note--${tone}`;
    note.tabIndex = -1;
    note.setAttribute("role", "alert");
    note.dataset.unanswered = "1";
    const bold = document.createElement("b");
    bold.textContent = wrong;
    note.append(bold, ` ${toDo}`);
    if (link?.url) {
      const anchor = document.createElement("a");
      anchor.href = link.url;
      anchor.textContent = link.label;
      note.append(" ", anchor);
    }
    (form.querySelector("[type=submit]") ?? form.lastElementChild).before(note);
    note.focus();
  };
  const TONES = { done: "good", not_done: "wait" };
  const unanswered = (event) => {
    const form = event.detail.elt;
    if (!form.matches("form")) return;
    if (!form.elements.request_id) {
      say(
        form,
        "wait",
        "No response from the server.",
        "Check whether it was done before you tap again.",
      );
      return;
    }
    say(
      form,
      "wait",
      "No response from the server.",
      "We don’t know yet if this was saved. Checking…",
    );
    window.PitOutcomes.onForm(form, (told) =>
      say(form, TONES[told.state] ?? "wait", told.wrong, told.to_do, told),
    );
  };
  for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"])
    document.addEventListener(name, unanswered);

  // A refused form keeps the address of the page it stands on: that of the act answers no reload.
  document.addEventListener("htmx:beforeHistoryUpdate", (event) => {
    if (!(event.detail.xhr?.status >= 400)) return;
    event.detail.history.type = "replace";
    event.detail.history.path = location.pathname + location.search;
  });
  document.addEventListener("htmx:validation:halted", (event) => finish(event.target));
  window.addEventListener("pageshow", () => {
    for (const form of [...busy.keys()]) finish(form);
  });

  // Refusals: focus goes to the note, so that it is read out and seen. What was typed stays: the server sends it back.
  // After the settling, since that is when a new pad would take the focus.
  document.querySelector("[data-refusal]")?.focus();
  document.addEventListener("htmx:afterSettle", (event) => {
    const status = event.detail.xhr?.status ?? 0;
    if (status >= 400) document.querySelector("[data-refusal]")?.focus();
    else if (event.detail.boosted) {
      const main = document.getElementById("main");
      // A pad has taken the focus already.
      if (main.contains(document.activeElement)) return;
      const field = main.querySelector("[autofocus]");
      (field ?? main).focus({ preventScroll: !field });
    }
  });

  // Toasts.
  const watchToasts = () => {
    for (const toast of document.querySelectorAll("[data-toast]:not([data-seen])")) {
      toast.dataset.seen = "1";
      setTimeout(() => {
        if (!toast.matches(":focus-within, :hover")) toast.remove();
        else toast.addEventListener("focusout", () => toast.remove());
      }, TOAST_MS);
    }
  };
  document.addEventListener("htmx:afterSettle", watchToasts);
  document.addEventListener("htmx:oobAfterSwap", watchToasts);
  watchToasts();

  // Menus close by Esc or a tap beside them.
  const closeMenus = (except) => {
    for (const menu of document.querySelectorAll("[data-menu][open]"))
      if (menu !== except) menu.open = false;
  };
  document.addEventListener("click", (event) => closeMenus(event.target.closest("[data-menu]")));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = event.target.closest?.("[data-menu][open]");
    closeMenus();
    menu?.querySelector("summary").focus();
  });

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-switch]")) return;
    const theme = root.dataset.theme === "light" ? "dark" : "light";
    root.dataset.theme = theme;
    try {
      localStorage.setItem("pitboss-theme", theme);
    } catch {
      // It holds for this page at least.
    }
  });

  // A slash opens the search, unless somebody is typing.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    const search = document.querySelector("[data-search]");
    if (!search) return;
    event.preventDefault();
    search.click();
  });

  // An idle tablet locks. Without a line it hides what it shows, and locks as soon as the line is back.
  let touchedAt = Date.now();
  let lockSentAt = 0;
  let awakeSentAt = Date.now();
  // The server locks too: it hears, now and then, that somebody reads or types and sends nothing yet.
  const tellAwake = () => {
    const lock = document.getElementById("lock");
    if (
      !lock?.dataset.awake ||
      Date.now() - awakeSentAt < Math.min(AWAKE_MS, Number(lock.dataset.lockAfter) * 300)
    )
      return;
    awakeSentAt = Date.now();
    const token = lock.querySelector("[name=csrfmiddlewaretoken]").value;
    fetch(lock.dataset.awake, {
      method: "POST",
      headers: { "X-CSRFToken": token },
      redirect: "manual",
    }).catch(() => {});
  };
  const touch = () => {
    if (root.classList.contains("is-locked")) return;
    touchedAt = Date.now();
    tellAwake();
  };
  for (const name of ["pointerdown", "keydown", "wheel", "touchmove"]) {
    document.addEventListener(name, touch, { capture: true, passive: true });
  }
  const judgeIdle = () => {
    const lock = document.getElementById("lock");
    if (!lock || Date.now() - touchedAt < Number(lock.dataset.lockAfter) * 1000) return;
    // A board that stays readable is not hidden: the server sends it again without what names a patron.
    if (lock.dataset.stays === undefined) root.classList.add("is-locked");
    // Sent anew each second, it would take back an answer that a slow line is still bringing.
    if (root.classList.contains("no-line") || Date.now() - lockSentAt < LOCK_AGAIN_MS) return;
    lockSentAt = Date.now();
    lock.submit();
  };
  setInterval(judgeIdle, 1000);
  document.addEventListener("visibilitychange", judgeIdle);
  document.addEventListener("pitboss:line-back", judgeIdle);

  // Kept on the device over a reload, with their request id: counts, quantities, reasons. Never a badge, a PIN or a tax number.
  const keepable = (field) =>
    field.name &&
    field.type !== "password" &&
    field.name !== "csrfmiddlewaretoken" &&
    field.name !== "shown" &&
    !field.matches("[data-badge], [data-secret], [data-secret] *");
  const keyOf = (form) => `pitboss-kept:${form.dataset.keep}`;

  const keep = (form) => {
    const kept = {};
    for (const field of form.elements) {
      if (!keepable(field)) continue;
      if (field.type === "radio" || field.type === "checkbox") {
        if (field.checked) kept[field.name] = field.value;
      } else kept[field.name] = field.value;
    }
    try {
      sessionStorage.setItem(keyOf(form), JSON.stringify({ at: Date.now(), kept }));
    } catch {
      // No room: the form still holds what was typed.
    }
  };

  const restore = (form) => {
    let stored;
    try {
      stored = JSON.parse(sessionStorage.getItem(keyOf(form)) ?? "null");
    } catch {
      return;
    }
    if (!stored || Date.now() - stored.at > KEEP_MS) return;
    const { kept } = stored;
    for (const field of form.elements) {
      if (!keepable(field) || !(field.name in kept)) continue;
      if (field.type === "radio" || field.type === "checkbox")
        field.checked = kept[field.name] === field.value;
      else field.value = kept[field.name];
    }
    form.dispatchEvent(new Event("pitboss:restored"));
  };

  document.addEventListener("input", (event) => {
    const form = event.target.closest?.("form[data-keep]");
    if (form) keep(form);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    // The form that was sent, which the answer has taken off the page by now: the event is told of where it stood.
    const { elt: sender, verb } = event.detail.requestConfig ?? {};
    const form = sender?.closest?.("form[data-keep]");
    if (form && event.detail.successful && verb !== "get") sessionStorage.removeItem(keyOf(form));
  });
  // Whoever asks to begin anew (to par, from nothing) is not given back what they had keyed.
  document.addEventListener(
    "click",
    (event) => {
      const form = event.target.closest?.("[data-anew]")?.closest("form[data-keep]");
      if (form) sessionStorage.removeItem(keyOf(form));
    },
    true,
  );
  // After the pads are set up, which listen for it.
  const restoreAll = (within) => {
    for (const form of within.querySelectorAll("form[data-keep]")) restore(form);
  };
  document.addEventListener("DOMContentLoaded", () => setTimeout(() => restoreAll(document)));
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.boosted) restoreAll(document);
  });

  // The demo's door: a tap on a badge keys it.
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-fill-badge]");
    if (!button) return;
    document.getElementById("badge").value = button.dataset.fillBadge;
    document.getElementById("password").value = button.dataset.fillPassword;
    document.querySelector("#password").form.querySelector("[type=submit]").focus();
  });
})();
