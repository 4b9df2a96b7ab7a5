// A vendor's day: from a code to a certified terminal, against `make sandbox`.

import { type Api, type Check, type CheckAnswer, key, OfflineQueue, pitboss, Problem, told } from "./pitboss.js";

interface Hand {
    hand: string;
    check: Check;
    answer: { verdict: string; payable_cents: number | null; level: string };
}

interface Certificate {
    is_certified: boolean;
    points: { title: string; is_met: boolean; to_do: string }[];
}

/** The sandbox's own addresses are no part of the schema. */
async function sandbox<T>(url: string, token: string, method: string, path: string, body = {}): Promise<T> {
    const answer = await fetch(`${url}/api/v1/sandbox/${path}`, {
        method,
        headers: {
            "Content-Type": "application/json",
            ...(token ? { Authorization: `Device ${token}` } : {}),
        },
        ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) {
        throw new Error(await answer.text());
    }
    return (await answer.json()) as T;
}

function sure(holds: boolean, words: string): void {
    if (!holds) {
        throw new Error(words);
    }
}

async function pay(api: Api, check: CheckAnswer): Promise<void> {
    const path = { check_id: check.check };
    const body = { paid_cents: check.payable_cents ?? 0 };
    const paid = await told(
        api.POST("/api/v1/checks/{check_id}/paid", { params: { path, header: key() }, body }),
    );
    sure(paid.mismatch === null, "paid as owed");
}

async function playRound(api: Api, stake: number): Promise<void> {
    const header = key;
    const begun = await told(api.POST("/api/v1/rounds", { params: { header: header() }, body: {} }));
    const path = { round_id: begun.round };
    const send = () => ({ params: { path, header: header() } });
    await api.POST("/api/v1/rounds/{round_id}/seats", { ...send(), body: { seats: [{ seat: 3 }] } });
    await api.POST("/api/v1/rounds/{round_id}/wagers", {
        ...send(),
        body: { seat: 3, bets: [{ wager: "blackjack", stake_cents: stake }] },
    });
    await api.POST("/api/v1/rounds/{round_id}/cards", {
        ...send(),
        body: {
            cards: [
                { seat: 3, card: "Th" },
                { seat: 3, card: "9d" },
                { to: "dealer", card: "9s" },
                { to: "dealer", card: "8h" },
            ],
        },
    });
    await api.POST("/api/v1/rounds/{round_id}/payouts", {
        ...send(),
        body: { payouts: [{ seat: 3, wager: "blackjack", paid_cents: stake }] },
    });
    const ended = await told(api.POST("/api/v1/rounds/{round_id}/end", { ...send(), body: {} }));
    sure(ended.verdict?.differences?.length === 0, "the round ends without a difference");
}

export async function work(url: string, table = "BJ-15"): Promise<Certificate> {
    // Enroll: two people of a real house give the code.
    const { code } = await sandbox<{ code: string }>(url, "", "POST", "code", { table });
    const { token } = await told(
        pitboss(url).POST("/api/v1/enrol", { params: { header: key() }, body: { code } }),
    );
    const api = pitboss(url, token);
    await sandbox(url, token, "POST", "reset");
    const answer = (request: number) =>
        sandbox(url, token, "POST", `requests/${request}/answer`, { granted: true });

    // Checks: every test hand is answered as the list says.
    const answers = new Map<string, CheckAnswer>();
    for (const hand of await sandbox<Hand[]>(url, token, "GET", "hands")) {
        const found = await told(
            api.POST("/api/v1/checks", { params: { header: key() }, body: hand.check }),
        );
        sure(found.verdict === hand.answer.verdict, hand.hand);
        sure(found.payable_cents === hand.answer.payable_cents, hand.hand);
        sure(found.level === hand.answer.level, hand.hand);
        answers.set(hand.hand, found);
    }
    const of = (hand: string): CheckAnswer => {
        const found = answers.get(hand);
        if (!found) {
            throw new Error(`${hand} was not checked`);
        }
        return found;
    };
    await pay(api, of("blackjack_wins"));

    // An approval: asked for, answered, and only then paid.
    const large = of("blackjack_at_the_maximum");
    const path = { check_id: large.check };
    const asked = await told(
        api.POST("/api/v1/checks/{check_id}/approval", { params: { path, header: key() } }),
    );
    await answer(asked.request);
    await pay(api, large);

    // A wrong card, corrected; and a check that was entered while offline.
    const read = await told(api.GET("/api/v1/table"));
    const stake = read.minimum_cents * 2;
    const body: Check = {
        wager: "blackjack",
        stake_cents: stake,
        player_cards: ["Th", "9c"],
        dealer_cards: ["9s", "8h"],
        paid_cents: stake,
        seat: 5,
    };
    const corrects = of("blackjack_doubled").check;
    await told(api.POST("/api/v1/checks", { params: { header: key() }, body: { ...body, corrects } }));
    const shelf = new Map<string, string>();
    const queue = new OfflineQueue({
        getItem: (name) => shelf.get(name) ?? null,
        setItem: (name, value) => void shelf.set(name, value),
    });
    queue.keep(body, new Date(Date.now() - 120_000));
    const [late] = await queue.send(api);
    sure(late !== undefined && !(late instanceof Problem) && late.keyed_at !== null, "sent late");

    // A round, a request, and the shoe.
    await playRound(api, stake);
    const request = await told(
        api.POST("/api/v1/requests", {
            params: { header: key() },
            body: { kind: "buy_in", facts: { amount_cents: 200_000 } },
        }),
    );
    await answer(request.request);
    for (const mark of ["shuffle", "deal", "stop"] as const) {
        await api.POST("/api/v1/shoe", { params: { header: key() }, body: { mark } });
    }
    return sandbox<Certificate>(url, token, "GET", "certificate");
}
