import { createHmac } from 'node:crypto';
import { differenceOf } from '../model/expectation.ts';
import type { Attempt } from '../model/shapes.ts';
import type { Game } from './exchange.ts';
import type { Received } from './sender.ts';

/** Throws unless the receivers got exactly the attempts of the model, each signed with the secret of its endpoint. */
export function compareReceived(game: Game): void {
  const open = [...game.model.context.attempts];
  for (const arrived of game.subject.received) {
    const problems = new Set<string>();
    const body: unknown = JSON.parse(arrived.body);
    // Both lists have nearly the same order, so the first attempt fits most often.
    const index = open.findIndex((attempt) => {
      const problem = problemOf(game, attempt, { arrived, body });
      problem === undefined || problems.add(problem);
      return problem === undefined;
    });
    if (index < 0) {
      throw new Error(`no such attempt expected: ${JSON.stringify(arrived)}\n${[...problems].join('\n')}`);
    }
    open.splice(index, 1);
  }
  if (open.length > 0) {
    throw new Error(`these attempts never arrived: ${JSON.stringify(open).slice(0, 2000)}`);
  }
}

function problemOf(
  { secrets, bindings }: Game,
  { at, url, attempt, event, webhook }: Attempt,
  { arrived, body }: { arrived: Received; body: unknown },
): string | undefined {
  if (arrived.at !== at || arrived.url !== url) {
    return 'another time or URL';
  }
  const seconds = Math.floor(at / 1000);
  const secret = secrets.get(bindings.idOf(webhook) ?? '') ?? '';
  const hex = createHmac('sha256', secret).update(`${seconds}.${arrived.body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'service-event-id': Object(body).id,
    'service-event-type': event.type,
    'service-delivery-attempt': String(attempt),
    'service-signature': `t=${seconds},v1=${hex}`,
  };
  // Only an attempt with the right signature may bind the id of its event.
  const wrong = Object.entries(headers).find(([name, value]) => arrived.headers[name] !== value);
  return wrong?.join(': ') ?? differenceOf({ status: 0, headers: {}, body: event }, asResponse(body), bindings);
}

const asResponse = (json: unknown) => ({ status: 0, headers: {}, json });
