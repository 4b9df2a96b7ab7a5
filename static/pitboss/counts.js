// Counting and asking: the count pad (stacks and odd, cheques, or dollars) and the steppers of a fill or credit.
// The server counts again; here a person only sees at once what they have keyed.
(() => {
  "use strict";
  const money = (cents) => {
    const dollars = Math.floor(cents / 100).toLocaleString("en-US");
    const rest = cents % 100;
    return rest ? `$${dollars}.${String(rest).padStart(2, "0")}` : `$${dollars}`;
  };

  // Count pad. An untouched cell is not a count; a keyed 0 is.
  const setUpCount = (form) => {
    const stack = Number(form.dataset.countpad);
    const rows = [...form.querySelectorAll("[data-row]")].map((element) => ({
      element,
      // What is written on a cheque, and what it is worth in money: a promotional one is worth nothing.
      cents: Number(element.dataset.face),
      worth: Number(element.dataset.worth),
      value: element.dataset.value,
      cell: (part) => element.querySelector(`[data-part=${part}]`),
      error: element.querySelector("[data-error]"),
    }));
    const keys = form.querySelector("[data-keys]");
    const done = form.querySelector("[data-done]");
    const say = (name, text) => {
      const place = form.querySelector(`[data-say=${name}]`);
      if (place) place.textContent = text;
    };
    const mode = () => form.querySelector("[name=by]:checked")?.value ?? "stacks";
    const parts = { stacks: ["stacks", "odd"], cheques: ["cheques"], dollars: ["dollars"] };
    const cells = () => rows.flatMap((row) => parts[mode()].map((part) => row.cell(part)));
    let lit = null;
    const counted = new Map();

    const whole = (text) => (/^\d+$/.test(text) ? Number(text) : null);
    const centsOf = (text) => {
      const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text);
      return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : null;
    };

    // What one row holds: a number of cheques, or null with what is still missing or wrong.
    const read = (row) => {
      if (mode() === "stacks") {
        const full = whole(row.cell("stacks").value);
        const odd = whole(row.cell("odd").value);
        const soFar = (full ?? 0) * stack + (odd ?? 0);
        if (full !== null && odd !== null) return { count: soFar, soFar };
        return {
          soFar,
          missing:
            full === null && odd === null
              ? row.value
              : `${row.value} ${full === null ? "stacks" : "odd"}`,
        };
      }
      const text = row.cell(mode()).value;
      if (mode() === "cheques") {
        const count = whole(text);
        return count === null ? { soFar: 0, missing: row.value } : { count, soFar: count };
      }
      const cents = centsOf(text);
      if (cents === null) return { soFar: 0, missing: row.value };
      const below = cents - (cents % row.cents);
      if (below === cents) return { count: cents / row.cents, soFar: cents / row.cents };
      return {
        soFar: 0,
        missing: row.value,
        wrong: `${money(cents)} isn’t an exact number of ${row.value} cheques. Did you mean ${money(below)} or ${money(below + row.cents)}?`,
      };
    };

    const show = () => {
      let totalCents = 0;
      const missing = [];
      for (const row of rows) {
        const { count, soFar, missing: name, wrong } = read(row);
        const keyed = count !== undefined || soFar > 0;
        totalCents += soFar * row.worth;
        if (name) missing.push(name);
        const countCell = row.element.querySelector("[data-count]");
        const amountCell = row.element.querySelector("[data-amount]");
        if (countCell) countCell.textContent = keyed ? soFar.toLocaleString("en-US") : "";
        amountCell.textContent = keyed ? money(soFar * row.worth) : "not yet";
        amountCell.classList.toggle("is-none", !keyed);
        // Not while it is being keyed: $2,500 begins as $2.
        const said = wrong && lit?.closest("[data-row]") !== row.element ? wrong : "";
        row.error.textContent = said;
        const dollars = row.cell("dollars");
        if (said) dollars.setAttribute("aria-invalid", "true");
        else dollars.removeAttribute("aria-invalid");
      }
      const complete = rows.length - missing.length;
      say("total", money(totalCents));
      say("progress", missing.length ? `${complete} of ${rows.length} counted` : "All counted");
      say(
        "left",
        missing.length ? `Still to count: ${missing.join(", ")}. Enter 0 for an empty tube.` : "",
      );
      if (missing.length) done.setAttribute("aria-disabled", "true");
      else done.removeAttribute("aria-disabled");
      for (const row of rows) counted.set(row, read(row).count);
    };

    const light = (cell) => {
      lit = cell;
      const row = cell.closest("[data-row]");
      for (const each of rows) each.element.classList.toggle("is-on", each.element === row);
      for (const each of form.querySelectorAll(".cell"))
        each.classList.toggle("is-lit", each === cell);
      say("cell", cell.getAttribute("aria-label"));
      show();
    };

    const move = (by) => {
      const all = cells();
      const target = all[all.indexOf(lit) + by];
      if (target) {
        target.focus();
        target.select();
      } else if (by > 0) done.focus();
    };

    // Another way to key keeps what is counted: seven green stay seven green.
    const convert = () => {
      for (const row of rows) {
        const count = counted.get(row);
        const known = count !== undefined;
        row.cell("stacks").value = known ? Math.floor(count / stack) : "";
        row.cell("odd").value = known ? count % stack : "";
        row.cell("cheques").value = known ? count : "";
        row.cell("dollars").value = known ? money(count * row.cents).replace(/[$,]/g, "") : "";
      }
      light(cells().find((cell) => !cell.value) ?? cells()[0]);
      show();
    };

    form.addEventListener("focusin", (event) => {
      if (event.target.matches(".cell")) light(event.target);
    });
    form.addEventListener("input", (event) => {
      if (event.target.name === "by") return;
      if (event.target.matches(".cell")) {
        const allowed = event.target.dataset.part === "dollars" ? /[^\d.]/g : /\D/g;
        event.target.value = event.target.value.replace(allowed, "").slice(0, 9);
      }
      show();
    });
    form.addEventListener("change", (event) => {
      if (event.target.name === "by") convert();
    });
    form.addEventListener("keydown", (event) => {
      if (!event.target.matches(".cell")) return;
      const by = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      move(by);
    });
    form.addEventListener("pitboss:restored", show);

    keys?.addEventListener("pointerdown", (event) => event.preventDefault());
    for (const key of keys?.querySelectorAll("button") ?? []) key.tabIndex = -1;
    keys?.addEventListener("click", (event) => {
      const key = event.target.closest("[data-key]")?.dataset.key;
      if (!key || !lit) return;
      if (key === "next") {
        move(1);
        return;
      }
      // A cell that was just reached is overwritten, as a typed digit would.
      const chosen = lit.selectionStart === 0 && lit.selectionEnd === lit.value.length;
      const before = chosen && document.activeElement === lit ? "" : lit.value;
      lit.value = key === "erase" ? before.slice(0, -1) : before + key;
      lit.setSelectionRange(lit.value.length, lit.value.length);
      lit.dispatchEvent(new Event("input", { bubbles: true }));
      if (document.activeElement !== lit) lit.focus();
    });
    if (keys) for (const cell of form.querySelectorAll(".cell")) cell.inputMode = "none";
    show();
    const first = cells().find((cell) => !cell.value) ?? cells()[0];
    if (first) {
      light(first);
      first.focus({ preventScroll: true });
    }
  };

  // Fill and credit: minus and plus move one stack (or one cheque of the colours that travel singly).
  const setUpFill = (form) => {
    const rows = [...form.querySelectorAll("[data-fillrow]")].map((element) => ({
      element,
      key: element.dataset.fillrow,
      worth: Number(element.dataset.worth),
      step: Number(element.dataset.step),
      most: Number(element.dataset.most || Infinity),
      input: element.querySelector("input"),
    }));
    const stack = Number(form.dataset.fill);
    const total = form.querySelector("[data-total]");
    const after = form.querySelector("[data-after]");
    const submit = form.querySelector("[data-ask]");
    const list = form.querySelector("[data-asked]");

    const inStacks = (count) => {
      const full = Math.floor(count / stack);
      const odd = count % stack;
      const words = [];
      if (full) words.push(`${full} stack${full === 1 ? "" : "s"}`);
      if (odd || !full) words.push(full ? `${odd} odd` : `cheque${odd === 1 ? "" : "s"}`);
      return words.join(" + ");
    };

    const show = () => {
      let totalCents = 0;
      for (const row of rows) {
        const count = Math.max(0, Math.trunc(Number(row.input.value) || 0));
        const cents = count * row.worth;
        totalCents += cents;
        row.element.classList.toggle("is-on", count > 0);
        row.element.querySelector("[data-stacks]").textContent = inStacks(count);
        row.element.querySelector("[data-amount]").textContent = count ? money(cents) : "–";
        const bar = row.element.querySelector(".asked");
        if (bar) {
          const room = 150 - Number(bar.getAttribute("x"));
          bar.setAttribute(
            "width",
            Math.min(room, count * Number(bar.dataset.perCheque)).toFixed(1),
          );
        }
        const line = list?.querySelector(`[data-asked-cents="${row.key}"]`);
        if (line) {
          line.hidden = !count;
          line.querySelector("[data-count]").textContent = count.toLocaleString("en-US");
          line.querySelector("small").textContent = inStacks(count);
        }
      }
      if (total) total.textContent = money(totalCents);
      if (after)
        after.textContent = money(
          Math.max(0, Number(after.dataset.after) + totalCents * Number(form.dataset.sign || 1)),
        );
      submit.textContent = submit.dataset.ask.replace("{}", money(totalCents));
      if (totalCents) submit.removeAttribute("aria-disabled");
      else submit.setAttribute("aria-disabled", "true");
    };

    form.addEventListener("click", (event) => {
      const button = event.target.closest("[data-step-by]");
      if (!button) return;
      const row = rows.find((each) => each.element.contains(button));
      const count = Math.max(0, Math.trunc(Number(row.input.value) || 0));
      const moved = count + Number(button.dataset.stepBy) * row.step;
      row.input.value = Math.min(row.most, Math.max(0, moved));
      row.input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    form.addEventListener("input", show);
    form.addEventListener("pitboss:restored", show);
    show();
  };

  const setUpAll = (within) => {
    for (const [selector, setUp] of [
      ["[data-countpad]", setUpCount],
      ["[data-fill]", setUpFill],
    ]) {
      const forms = [...within.querySelectorAll(selector)];
      if (within.matches?.(selector)) forms.push(within);
      for (const form of forms) {
        if (form.dataset.ready) continue;
        form.dataset.ready = "1";
        setUp(form);
      }
    }
  };

  document.addEventListener("htmx:load", (event) => setUpAll(event.detail.elt));
  setUpAll(document);
})();
