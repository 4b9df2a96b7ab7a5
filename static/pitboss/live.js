// What is true right now: clocks that tick by the server's time, the line to the server, and a poll that never takes
// anything out of a person's hands.
(() => {
  "use strict";
  // A page that the browser kept is asked for again: the tablet may be in a patron's hand by now.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  // Live is what was answered with a version within this time, and nothing else.
  const LIVE_MS = 10_000;
  const WAKE_MS = 4000;
  const RING = 2 * Math.PI * 8;
  const root = document.documentElement;

  // The server's clock, from data-now of the page and of every poll's answer.
  let aheadMs = 0;
  let houseOffsetMinutes = -new Date().getTimezoneOffset();
  const serverNow = () => Date.now() + aheadMs;

  const readNow = (element) => {
    const text = element?.dataset?.now;
    const instant = Date.parse(text ?? "");
    if (Number.isNaN(instant)) return;
    aheadMs = instant - Date.now();
    const zone = /([+-])(\d\d):(\d\d)$/.exec(text);
    if (zone)
      houseOffsetMinutes = (zone[1] === "-" ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3]));
    else if (text.endsWith("Z")) houseOffsetMinutes = 0;
  };

  const two = (number) => String(number).padStart(2, "0");

  const waited = (seconds) => {
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    return hours
      ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
      : `${minutes}:${two(seconds % 60)}`;
  };

  const setText = (element, text) => {
    if (element && element.textContent !== text) element.textContent = text;
  };

  const tick = () => {
    const now = serverNow();
    for (const clock of document.querySelectorAll("[data-since]")) {
      const seconds = Math.max(0, Math.floor((now - Date.parse(clock.dataset.since)) / 1000));
      const limit = Number(clock.dataset.limit);
      setText(clock.querySelector("[data-clock]"), waited(seconds));
      if (!limit) continue;
      const share = Math.min(1, seconds / limit);
      clock
        .querySelector("circle + circle")
        ?.setAttribute("stroke-dasharray", `${(share * RING).toFixed(1)} ${RING.toFixed(1)}`);
      const urgency = share >= 1 ? "late" : share >= 0.5 ? "soon" : "fine";
      for (const each of ["fine", "soon", "late"])
        clock.classList.toggle(`clock--${each}`, each === urgency);
    }
    for (const spent of document.querySelectorAll("[data-minutes-since]")) {
      setText(
        spent,
        `${Math.max(0, Math.floor((now - Date.parse(spent.dataset.minutesSince)) / 60_000))} min`,
      );
    }
    const house = new Date(now + houseOffsetMinutes * 60_000);
    for (const time of document.querySelectorAll("[data-time]")) {
      setText(time, `${two(house.getUTCHours())}:${two(house.getUTCMinutes())}`);
    }
    judgeLine();
  };

  // The line. Only a poll that was answered with a version says that what is shown is so.
  let answeredAt = Date.now();
  let wokeAt = 0;
  let lost = false;

  const showLine = (isLost) => {
    if (isLost === lost) return;
    lost = isLost;
    root.classList.toggle("no-line", lost);
    const since = new Date(answeredAt + aheadMs + houseOffsetMinutes * 60_000);
    const at = `${two(since.getUTCHours())}:${two(since.getUTCMinutes())}:${two(since.getUTCSeconds())}`;
    for (const live of document.querySelectorAll("[data-live]")) {
      live.dataset.label ??= live.textContent;
      setText(live, lost ? `No answer since ${at}` : live.dataset.label);
    }
    for (const button of document.querySelectorAll("button[data-needs-line]")) {
      if (lost) {
        button.dataset.label ??= button.textContent;
        button.textContent = "You’re offline";
        button.setAttribute("aria-disabled", "true");
      } else if (button.dataset.label) {
        button.textContent = button.dataset.label;
        delete button.dataset.label;
        button.removeAttribute("aria-disabled");
      }
    }
    document.dispatchEvent(new CustomEvent(lost ? "pitboss:line-lost" : "pitboss:line-back"));
  };

  const judgeLine = () => {
    if (!navigator.onLine) showLine(true);
    else if (
      document.querySelector("[data-poll]") &&
      !document.hidden &&
      Date.now() - answeredAt > LIVE_MS &&
      Date.now() - wokeAt > WAKE_MS
    )
      showLine(true);
  };

  const pollNow = () => {
    const poll = document.querySelector("[data-poll]");
    if (poll) window.htmx?.trigger(poll, "poll-now");
    else showLine(!navigator.onLine);
  };

  window.addEventListener("offline", () => showLine(true));
  window.addEventListener("online", pollNow);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    // A tablet that slept has missed polls without losing the line: it asks before it says so.
    wokeAt = Date.now();
    if (wokeAt - answeredAt > LIVE_MS && !lost && document.querySelector("[data-poll]"))
      for (const live of document.querySelectorAll("[data-live]")) setText(live, "Asking…");
    tick();
    pollNow();
  });

  // A page that is swapped in brings styles and scripts of its own in a head that is not swapped.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { boosted, serverResponse } = event.detail;
    if (!boosted) return;
    const { head } = new DOMParser().parseFromString(serverResponse, "text/html");
    for (const brought of head.querySelectorAll("link[rel=stylesheet], script[src]")) {
      const name = brought.hasAttribute("href") ? "href" : "src";
      const place = `${brought.localName}[${name}="${CSS.escape(brought.getAttribute(name))}"]`;
      if (document.head.querySelector(place)) continue;
      const added = document.createElement(brought.localName);
      for (const each of brought.attributes) added.setAttribute(each.name, each.value);
      document.head.append(added);
    }
  });

  // The answer of a poll whose page is gone would put the old page's poll onto the new one.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { elt } = event.detail.requestConfig;
    if (elt.matches("[data-poll]") && !elt.isConnected) event.detail.shouldSwap = false;
    // Whose badge it is can be said or not; a page about why not has no room beside the field.
    if (elt.matches("[data-badge]") && event.detail.xhr.status >= 400)
      event.detail.shouldSwap = false;
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (document.hidden && event.detail.elt.matches("[data-poll]")) event.preventDefault();
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { status } = event.detail.xhr;
    if (status !== 200 && status !== 204) return;
    const { elt } = event.detail.requestConfig ?? event.detail;
    if (!elt.matches("[data-poll]") && !event.detail.boosted) return;
    answeredAt = Date.now();
    if (!lost && document.querySelector("[data-poll]"))
      for (const live of document.querySelectorAll("[data-live]")) setText(live, "Live");
    showLine(false);
  });

  // A poll sends changed parts out of band. A part that a person is typing in, or where a pad or menu is open, keeps still;
  // the newest version of it waits until they are done.
  const waiting = new Map();

  const isHeld = (target) =>
    target.querySelector("details[open]") !== null ||
    (target.matches(":focus-within") &&
      document.activeElement.matches(
        "input:not([data-kept]), select, textarea, [contenteditable]",
      )) ||
    [...target.querySelectorAll("[data-signpad], [data-countpad], [data-fill], [data-hold]")].some(
      (form) => form.dataset.touched,
    );

  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    if (target.id === "toasts" || !isHeld(target)) {
      // What was slid to stays in sight when a newer one takes its place.
      const slid = target.querySelector("[data-scrolls]")?.scrollTop;
      if (slid)
        requestAnimationFrame(() =>
          document.getElementById(target.id)?.querySelector("[data-scrolls]")?.scrollTo(0, slid),
        );
      return;
    }
    event.detail.shouldSwap = false;
    waiting.set(target.id, fragment.cloneNode(true));
  });

  document.addEventListener("focusout", () => {
    setTimeout(() => {
      for (const [id, fragment] of waiting) {
        const target = document.getElementById(id);
        if (target && isHeld(target)) continue;
        waiting.delete(id);
        const fresh = fragment.querySelector?.(`#${CSS.escape(id)}`) ?? fragment.firstElementChild;
        if (!target || !fresh) continue;
        fresh.removeAttribute("hx-swap-oob");
        target.replaceWith(fresh);
        window.htmx.process(fresh);
      }
    });
  });

  document.addEventListener("input", (event) => {
    const form = event.target.closest("[data-signpad], [data-countpad], [data-fill], [data-hold]");
    if (form) form.dataset.touched = "1";
  });

  const start = () => {
    for (const element of document.querySelectorAll("[data-now]")) readNow(element);
    tick();
    setInterval(tick, 1000);
  };

  document.addEventListener("htmx:oobAfterSwap", (event) =>
    readNow(event.detail.elt ?? event.target),
  );
  document.addEventListener("htmx:load", (event) => {
    for (const element of [event.detail.elt, ...event.detail.elt.querySelectorAll("[data-now]")])
      readNow(element);
    tick();
  });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
