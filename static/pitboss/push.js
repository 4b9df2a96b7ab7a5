// The switch of the inbox for notifications on this device, where the browser and the house allow them.
(() => {
  "use strict";
  const WORKER = "/worker.js";

  const bytesOf = (text) => {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  };

  const textOf = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=+$/, "");

  const say = (button, words) => {
    button.querySelector("[data-push-word]").textContent = words;
  };

  const show = (button, isOn) => {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(isOn));
    say(button, isOn ? "Notifications on" : "Notifications off");
  };

  const tell = async (button, url, fields) => {
    const body = new URLSearchParams(fields);
    const headers = { "X-CSRFToken": button.dataset.csrf };
    const answer = await fetch(url, { method: "POST", body, headers });
    const { words } = await answer.json();
    button.title = words;
    return answer.ok;
  };

  const turnOn = async (button) => {
    if ((await Notification.requestPermission()) !== "granted") {
      say(button, "Blocked in the browser");
      return;
    }
    const registration = await navigator.serviceWorker.register(WORKER);
    await navigator.serviceWorker.ready;
    // One that was made with an older key of the house takes nothing from it any more.
    const old = await registration.pushManager.getSubscription();
    if (old && textOf(old.options.applicationServerKey) !== button.dataset.pushKey)
      await old.unsubscribe();
    const made = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: bytesOf(button.dataset.pushKey),
    });
    const isOn = await tell(button, button.dataset.pushOn, {
      endpoint: made.endpoint,
      p256dh: textOf(made.getKey("p256dh")),
      auth: textOf(made.getKey("auth")),
    });
    show(button, isOn);
    if (!isOn) say(button, "Not turned on");
  };

  const turnOff = async (button) => {
    if (await tell(button, button.dataset.pushOff, {})) show(button, false);
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-push-key]");
    if (!button) return;
    button.disabled = true;
    try {
      await (button.getAttribute("aria-pressed") === "true" ? turnOff : turnOn)(button);
    } catch {
      say(button, "Not turned on");
    } finally {
      button.disabled = false;
    }
  });

  const look = () => {
    const button = document.querySelector("[data-push-key]");
    if (!button?.hidden || !("PushManager" in window) || !navigator.serviceWorker) return;
    show(button, button.dataset.isOn === "yes");
  };
  document.addEventListener("htmx:load", look);
  look();
})();
