// The sign pad and every other place where a badge or a PIN is keyed: keypad, dots, badge reader, and forgetting.
(() => {
  "use strict";
  const PIN_DIGITS = 6;
  const FORGET_AFTER_MS = 30_000;

  const showDots = (pin) => {
    const count = pin.value.length;
    const holder = pin.closest("[data-pin]");
    holder.querySelectorAll(".pin__dots i").forEach((dot, index) => {
      dot.classList.toggle("is-on", index < count);
    });
    // What the pad says while it is used comes with it, in its language.
    const told = holder.querySelector("[data-counts]");
    told.textContent = told.dataset.counts.replace("{count}", count);
  };

  const setValue = (field, value) => {
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  const setUp = (form) => {
    if (form.dataset.ready) return;
    form.dataset.ready = "1";
    const pins = [...form.querySelectorAll("[data-pin] input")];
    const keys = form.querySelector("[data-keys]");
    if (!pins.length) return;
    const fields = [...form.querySelectorAll("[data-then], [data-badge], [data-pin] input")];
    const isPin = (field) => pins.includes(field);
    const clearKey = keys?.querySelector("[data-key=clear]");
    let lit = fields.find((field) => !field.value) ?? fields[0];

    // The pad has keys of its own; the device's keyboard would cover them. A badge reader and a keyboard still type.
    if (keys) for (const field of fields) field.inputMode = "none";

    // What the keys typed is no change to the browser; the name of a badge is asked for on one.
    let keyed = null;

    const light = (field) => {
      if (keyed && keyed !== field) {
        keyed.dispatchEvent(new Event("change", { bubbles: true }));
        keyed = null;
      }
      lit = field;
      for (const each of fields) each.classList.toggle("is-lit", each === field);
      if (clearKey)
        clearKey.textContent = isPin(field) ? clearKey.dataset.clears : clearKey.dataset.goesOn;
    };

    const next = () => {
      const named = lit.dataset.then && form.querySelector(`[name="${lit.dataset.then}"]`);
      const onward = fields.slice(fields.indexOf(named || lit) + (named ? 0 : 1));
      // What is filled in already, such as a badge that the device knows, is not stopped at.
      (onward.find((field) => !field.value) ?? onward[0])?.focus();
    };

    let timer = 0;
    const forgetLater = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const pin of pins) if (pin.value) setValue(pin, "");
      }, FORGET_AFTER_MS);
    };

    for (const field of fields) {
      field.addEventListener("focus", () => light(field));
      field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        // A badge reader ends with Enter: that means "now the PIN", not "sign".
        if (isPin(field) && (field === pins.at(-1) || pins.at(-1).value)) return;
        event.preventDefault();
        next();
      });
    }
    // A name that is tapped stands for its badge.
    for (const name of form.querySelectorAll("[data-fills]")) {
      name.addEventListener("click", () => {
        const field = form.querySelector(`[name="${name.dataset.fills}"]`);
        setValue(field, name.dataset.value);
        field.dispatchEvent(new Event("change", { bubbles: true }));
        keyed = null;
        light(field);
        next();
      });
    }
    for (const pin of pins) {
      pin.addEventListener("input", () => {
        const digits = pin.value.replace(/\D/g, "").slice(0, PIN_DIGITS);
        if (digits !== pin.value) pin.value = digits;
        showDots(pin);
      });
      showDots(pin);
    }
    form.addEventListener("input", forgetLater);
    form.addEventListener("pointerdown", forgetLater);

    if (keys) {
      // Keys leave the focus where it is, and are no stop for Tab: a hardware keyboard has its own.
      keys.addEventListener("pointerdown", (event) => event.preventDefault());
      for (const key of keys.querySelectorAll("button")) key.tabIndex = -1;
      keys.addEventListener("click", (event) => {
        const key = event.target.closest("[data-key]")?.dataset.key;
        if (!key) return;
        if (key !== "clear") keyed = lit;
        if (key === "clear") {
          if (isPin(lit)) setValue(lit, "");
          else next();
        } else if (key === "erase") setValue(lit, lit.value.slice(0, -1));
        else if (!isPin(lit) || lit.value.length < PIN_DIGITS) setValue(lit, lit.value + key);
        if (document.activeElement !== lit) lit.focus();
      });
    }
    light(lit);
    // A refusal is read first; the keys still go to the lit field.
    if (form.querySelector("[data-refusal]")) return;
    const first = form.querySelector("[autofocus]");
    if (!first || fields.includes(first)) lit.focus({ preventScroll: true });
  };

  const setUpAll = (within) => {
    if (within.matches?.("[data-signpad]")) setUp(within);
    for (const form of within.querySelectorAll("[data-signpad]")) setUp(form);
  };

  document.addEventListener("htmx:load", (event) => setUpAll(event.detail.elt));
  // Coming back must not bring a PIN back.
  window.addEventListener("pageshow", () => {
    for (const pin of document.querySelectorAll("[data-pin] input"))
      if (pin.value) setValue(pin, "");
  });
  setUpAll(document);
  // What is signed is seen before the pad is: the first field takes focus without pulling a fresh page down to it.
  window.addEventListener("load", () => {
    const [arrival] = performance.getEntriesByType("navigation");
    if (arrival?.type !== "navigate" || location.hash || !document.querySelector("[data-signpad]"))
      return;
    requestAnimationFrame(() => window.scrollTo(0, 0));
  });
})();
