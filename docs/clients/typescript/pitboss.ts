// A client of the Pitboss API. Its types come from docs/openapi.json: npm run types.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

export type Shapes = components["schemas"];
export type Check = Shapes["CheckRequest"];
export type CheckAnswer = Shapes["CheckAnswer"];

// Not a decision of the house: the same request is sent again.
const AGAIN = new Set([429, 500, 502, 503, 504]);
const WAITS_MS = [500, 1000, 2000, 4000, 8000];

/** What the house refused. Act on `codes`; report `requestId`. */
export class Problem extends Error {
    readonly status: number;
    readonly codes: string[];
    readonly requestId: string;

    constructor(document: Shapes["Problem"], requestId: string) {
        super(document.detail);
        this.status = document.status;
        this.codes = document.refusals.map((refusal) => refusal.code);
        this.requestId = requestId;
    }
}

/** No answer came. Whether it was done is unknown: send it again with the same key. */
export class Offline extends Error {}

/** Send until the house answers: with one key it is done once, however often it is sent. */
export async function patient(request: Request, waits: number[] = WAITS_MS): Promise<Response> {
    for (const wait of [...waits, null]) {
        let after = wait ?? 0;
        try {
            const answer = await fetch(request.clone());
            if (!AGAIN.has(answer.status)) {
                return answer;
            }
            after = Number(answer.headers.get("Retry-After")) * 1000 || after;
        } catch {
            // The line is down: the same request, with the same key, is sent again.
        }
        if (wait !== null) {
            await new Promise((resolve) => setTimeout(resolve, after));
        }
    }
    throw new Offline(`${request.method} ${request.url}`);
}

/** Every call of the API, typed by its path. Raises Problem and Offline. */
export function pitboss(url: string, token = "", waits: number[] = WAITS_MS) {
    const client = createClient<paths>({
        baseUrl: url.replace(/\/$/, ""),
        fetch: (request) => patient(request, waits),
        headers: token ? { Authorization: `Device ${token}` } : {},
    });
    client.use({
        async onResponse({ response }) {
            if (!response.ok) {
                const requestId = response.headers.get("Request-Id") ?? "";
                throw new Problem((await response.json()) as Shapes["Problem"], requestId);
            }
        },
    });
    return client;
}

export type Api = ReturnType<typeof pitboss>;

/** A new key for an act. The same act, sent again, has the same key. */
export function key(): { "Idempotency-Key": string } {
    return { "Idempotency-Key": crypto.randomUUID() };
}

/** Return what a call was answered with; a refusal was raised before. */
export async function told<T>(call: Promise<{ data?: T }>): Promise<T> {
    const { data } = await call;
    if (data === undefined) {
        throw new Offline("The answer has no body.");
    }
    return data;
}

/** Where checks wait: `localStorage` in a browser, a file elsewhere. */
export interface Shelf {
    getItem(name: string): string | null;
    setItem(name: string, value: string): void;
}

interface Kept {
    key: string;
    body: Check;
}

/** Checks entered while offline, in their order, each with its own key. Until then call nothing right. */
export class OfflineQueue {
    constructor(
        private readonly shelf: Shelf,
        private readonly name = "pitboss-queue",
    ) {}

    keep(body: Check, entered = new Date()): void {
        const kept = { key: crypto.randomUUID(), body: { ...body, keyed_at: entered.toISOString() } };
        this.write([...this.waiting(), kept]);
    }

    waiting(): Kept[] {
        return JSON.parse(this.shelf.getItem(this.name) ?? "[]") as Kept[];
    }

    /** Send what waits, oldest first. A check leaves the shelf once the house has answered it. */
    async send(api: Api): Promise<(CheckAnswer | Problem)[]> {
        const answers: (CheckAnswer | Problem)[] = [];
        for (let [first, ...rest] = this.waiting(); first; [first, ...rest] = this.waiting()) {
            const header = { "Idempotency-Key": first.key };
            try {
                const sent = api.POST("/api/v1/checks", { params: { header }, body: first.body });
                answers.push(await told(sent));
            } catch (problem) {
                if (!(problem instanceof Problem)) {
                    throw problem;
                }
                answers.push(problem);
            }
            this.write(rest);
        }
        return answers;
    }

    private write(kept: Kept[]): void {
        this.shelf.setItem(this.name, JSON.stringify(kept));
    }
}
