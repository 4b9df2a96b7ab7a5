// What has come for me: the number in the tab's title and on the app's icon, a short sound where this device was told to
// make one, and ticks that stay where they are when a poll sends the cards again.
(() => {
  "use strict";
  const KEPT = "pitboss-bell";
  const NOTES_HZ = [880, 1174.7];
  const NOTE_SECONDS = 0.12;
  const LOUDNESS = 0.08;
  const BUZZ_MS = [120, 80, 120];
  const NEW_MS = 4000;

  let isOn = false;
  try {
    isOn = localStorage.getItem(KEPT) === "on";
  } catch {
    // Storage may be closed to us; silence is then right.
  }

  // A browser lets nothing sound before somebody has touched the page: the first touch wakes what was left on.
  let audio = null;
  const wake = () => {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  };

  const ring = () => {
    if (!isOn) return;
    navigator.vibrate?.(BUZZ_MS);
    if (audio?.state !== "running") return;
    NOTES_HZ.forEach((hertz, place) => {
      const begins = audio.currentTime + place * NOTE_SECONDS;
      const note = new OscillatorNode(audio, { type: "sine", frequency: hertz });
      const volume = new GainNode(audio, { gain: 0 });
      volume.gain.setValueAtTime(0, begins);
      volume.gain.linearRampToValueAtTime(LOUDNESS, begins + 0.01);
      volume.gain.exponentialRampToValueAtTime(0.0001, begins + NOTE_SECONDS);
      note.connect(volume).connect(audio.destination);
      note.start(begins);
      note.stop(begins + NOTE_SECONDS);
    });
  };

  document.addEventListener("pointerdown", () => {
    if (isOn) wake();
  });

  const showBell = () => {
    const bell = document.querySelector("[data-bell]");
    if (!bell) return;
    bell.hidden = false;
    bell.setAttribute("aria-pressed", String(isOn));
    bell.querySelector("[data-bell-word]").textContent = isOn ? "Sound on" : "Sound off";
  };

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-bell]")) return;
    isOn = !isOn;
    try {
      localStorage.setItem(KEPT, isOn ? "on" : "off");
    } catch {
      // It holds until the page is closed.
    }
    showBell();
    if (!isOn) return;
    wake();
    // So that whoever turns it on hears what it will be.
    audio.resume().then(ring);
  });

  // What waits now: each card by its id where the cards are shown, else how many there are.
  let known = null;

  const waitingNow = () => {
    const badge = document.getElementById("badge-inbox");
    if (!badge) return null;
    const cards = document.getElementById("inbox");
    return {
      count: Number.parseInt(badge.textContent, 10) || 0,
      ids: cards
        ? new Set([...cards.querySelectorAll("article.item")].map((card) => card.id))
        : null,
    };
  };

  const hasArrived = (before, now) =>
    now.count > before.count ||
    (before.ids && now.ids && [...now.ids].some((id) => !before.ids.has(id)));

  const show = () => {
    const now = waitingNow();
    if (!now) return;
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = now.count ? `(${now.count}) ${title}` : title;
    if (now.count) navigator.setAppBadge?.(now.count).catch(() => {});
    else navigator.clearAppBadge?.().catch(() => {});
    if (known && hasArrived(known, now)) {
      ring();
      const badge = document.getElementById("badge-inbox");
      badge.classList.add("is-new");
      setTimeout(() => badge.classList.remove("is-new"), NEW_MS);
    }
    known = now;
  };

  // Several parts come with one poll; look when all of them are there.
  let looking = 0;
  const look = () => {
    clearTimeout(looking);
    looking = setTimeout(() => {
      show();
      showBell();
    }, 50);
  };

  const ticked = new Set();
  document.addEventListener("change", (event) => {
    if (!event.target.matches("#inbox [name=item]")) return;
    if (event.target.checked) ticked.add(event.target.value);
    else ticked.delete(event.target.value);
  });

  const tickAgain = () => {
    for (const box of document.querySelectorAll("#inbox [name=item]"))
      if (ticked.has(box.value)) box.checked = true;
  };

  document.addEventListener("htmx:oobAfterSwap", () => {
    tickAgain();
    look();
  });
  document.addEventListener("htmx:load", look);
  document.addEventListener("htmx:pushedIntoHistory", () => ticked.clear());
  look();
})();
