import { type Arrived, type Bindings, differenceOf } from '../model/expectation.ts';
import type { Model } from '../model/model.ts';
import type { ModelRequest } from '../model/service.ts';
import type { RequestPlan } from './requests.ts';
import type { Subject } from './subject.ts';

/** The emulator and the model side by side, in the middle of a sequence. */
export interface Game {
  readonly subject: Subject;
  readonly model: Model;
  readonly bindings: Bindings;
  /** The requests that had an idempotency key. */
  readonly repeatable: RequestPlan[];
  /** The signing secret of each endpoint, by its id. Only the response to the creation shows it. */
  readonly secrets: Map<string, string>;
  /** The last page, if another one follows. */
  next: PageEnd | undefined;
}

interface PageEnd {
  readonly path: string;
  readonly apiKey: string;
  readonly cursor: string;
  /** The symbol of the last object. It stands for the cursor in the model. */
  readonly last: string;
}

/** Sends a request to both, and throws if the response isn't what the model expects. */
export async function exchange(game: Game, plan: RequestPlan): Promise<void> {
  if (plan.method === 'POST' && plan.idempotencyKey !== undefined && game.repeatable.at(-1) !== plan) {
    game.repeatable.push(plan);
  }
  const request = { ...plan, path: toSymbols(game, plan.path) };
  await compare(game, request, { ...request, path: toIds(game.bindings, request.path) });
}

/** Reads the page after the last one. False if there is none. */
export async function readNextPage(game: Game, limit: number): Promise<boolean> {
  const { next } = game;
  if (next === undefined) {
    return false;
  }
  const pathWith = (after: string) => `${next.path}?limit=${limit}&after=${after}`;
  const request = { method: 'GET', path: pathWith(next.last), apiKey: next.apiKey };
  const path = toIds(game.bindings, pathWith('')) + encodeURIComponent(next.cursor);
  game.next = undefined;
  await compare(game, request, { ...request, path });
  return true;
}

async function compare(game: Game, request: ModelRequest, sent: ModelRequest): Promise<void> {
  const { subject, model, bindings } = game;
  const expected = model.respond(request);
  const arrived = await subject.send(sent);
  const difference = differenceOf(expected, arrived, bindings) ?? wrongOrder(arrived);
  if (difference !== undefined) {
    throw new Error([difference, shorten(request), shorten(arrived)].join('\n'));
  }
  model.arrived(arrived);
  keepSecret(game, arrived);
  // Deliveries that are due now are made before the next request.
  await subject.clock.advance(0);
  game.next = pageEnd(game, request, arrived) ?? game.next;
}

function keepSecret({ secrets }: Game, { json }: Arrived): void {
  const { id, secret } = Object(json) as { id?: string; secret?: string };
  if (id !== undefined && secret !== undefined) {
    secrets.set(id, secret);
  }
}

const shorten = (value: unknown) => JSON.stringify(value).slice(0, 2000);

/** Puts the symbols of the model in place of numbers such as `{audience:1}`. */
function toSymbols({ model, bindings }: Game, path: string): string {
  const [own, other] = model.organizations;
  const people = own.audiences.flatMap((audience) => [...audience.people.values()]);
  const seen = people.filter(({ id }) => bindings.idOf(id) !== undefined);
  const webhook = [...own.webhooks, ...other.webhooks];
  const lists = { audience: [...own.audiences, ...other.audiences], flow: own.flows, contact: seen, webhook };
  return path.replace(/\{(audience|flow|contact|webhook):(\d+)\}/g, (_, kind: keyof typeof lists, at: string) => {
    const list = lists[kind];
    return list[Number(at) % list.length]?.id ?? 'no_x';
  });
}

function toIds(bindings: Bindings, path: string): string {
  return path.replace(/@[a-z]+_\d+/g, (symbol) => bindings.idOf(symbol) ?? symbol);
}

/** "Ordering is newest first (created_at descending, then id descending)" */
function wrongOrder({ json }: Arrived): string | undefined {
  const { data = [] } = Object(json) as { data?: { created_at: string; id: string }[] };
  const order = data.map(({ created_at, id }) => `${created_at} ${id}`);
  return order.every((place, index) => index === 0 || place < order[index - 1]!) ? undefined : 'not newest first';
}

function pageEnd({ bindings }: Game, { method, path, apiKey }: ModelRequest, { json }: Arrived): PageEnd | undefined {
  const { data = [], next_cursor: cursor } = Object(json) as { data?: { id: string }[]; next_cursor?: unknown };
  const last = bindings.symbolOf(data.at(-1)?.id ?? '');
  if (method !== 'GET' || last === undefined || typeof cursor !== 'string') {
    return undefined;
  }
  return { path: path.split('?')[0]!, apiKey, cursor, last };
}
