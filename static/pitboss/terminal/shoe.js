// The shoe, between two rounds: the shuffle, the first card after it, a shoe that is broken down. Each is timed by the
// house's clock when it arrives, so a mark is never kept for later: without a line it is not made.
(() => {
  "use strict";
  const { t, word } = window.PitWords;
  const { h, button, note } = window.PitParts;
  const line = window.PitLine;
  const terminal = window.PitTerminal;
  const MARKS = [["shuffle", () => t`Shuffle`], ["deal", () => t`First card`], ["stop", () => t`Shoe broken down`]];
  const RATINGS = { OP: () => t`outstanding performer`, SP: () => t`strong performer`, ME: () => t`meets expectations`, NI: () => t`needs improvement` };

  let said = null;
  // Tapped again after a lost answer it is the same mark.
  let keys = {};

  const took = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

  const words = ({ mark, seconds, rating, standard_seconds }) => {
    if (seconds === null) return "";
    if (mark === "deal") return rating ? t`The shuffle took ${took(seconds)}, ${RATINGS[rating]()}.` : t`The shuffle took ${took(seconds)}.`;
    return standard_seconds ? t`The shoe took ${took(seconds)} of ${took(standard_seconds)}.` : t`The shoe took ${took(seconds)}.`;
  };

  const make = async (mark, label) => {
    keys[mark] ??= line.newKey();
    try {
      const told = await line.ask("POST", "shoe", { mark }, keys[mark]);
      keys = {};
      said = note("good", t`${label} marked.`, words(told), "check");
    } catch (problem) {
      said = problem instanceof line.Problem ? note("bad", t`Not marked.`, word(problem.message)) : note("bad", t`Not recorded. You’re offline.`, t`Tap again when it is back.`);
    }
    if (terminal.isOpen("shoe")) terminal.redraw();
  };

  window.PitShoe = {
    draw: () => h("section", { class: "panel stack", "aria-labelledby": "shoe-heading" },
      h("h2", { id: "shoe-heading" }, t`The shoe`),
      h("div", { class: "choose" }, MARKS.map(([mark, label]) => button(label(), () => make(mark, label()), { k: `shoe-${mark}` }))),
      said && h("div", { role: "status" }, said)),
  };
})();
