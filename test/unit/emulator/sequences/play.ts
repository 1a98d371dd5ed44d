import { addAudience, liveAudiences } from '../model/account.ts';
import { Bindings } from '../model/expectation.ts';
import { createModel } from '../model/model.ts';
import { addAutomation, changeAutomation, changePerson } from './app.ts';
import type { AutomationPlan, Command } from './commands.ts';
import { exchange, type Game, readNextPage } from './exchange.ts';
import { compareReceived } from './receiver.ts';
import type { RequestPlan } from './requests.ts';
import { receive } from './sender.ts';
import { type Subject, startSubject } from './subject.ts';
import { numbered } from './values.ts';

/** Plays a sequence on both. Throws at the first response, or the first part of the end state, that differs. */
export async function play(
  plan: 'free' | 'paid',
  flows: readonly AutomationPlan[],
  all: readonly Command[],
): Promise<void> {
  const subject = await startSubject(plan);
  try {
    const game = await setUp(subject, plan, flows);
    for (const command of all) {
      await run(game, command);
    }
    await compareEnd(game);
  } finally {
    await subject.close();
  }
}

async function setUp(subject: Subject, plan: 'free' | 'paid', flows: readonly AutomationPlan[]): Promise<Game> {
  const model = createModel(plan, { now: subject.clock.now, receive });
  const game: Game = { subject, model, bindings: new Bindings(), repeatable: [], secrets: new Map(), next: undefined };
  const [own, other] = model.organizations;
  game.bindings.bind(addAudience(own, 'Newsletter', model.context).id, subject.emulator.audienceId);
  game.bindings.bind(addAudience(other, 'Newsletter', model.context).id, subject.otherAudience);
  await exchange(game, { method: 'POST', path: '/v1/audiences', body: '{"name":"Second"}', apiKey: 'full' });
  for (const flow of flows) {
    addAutomation(game, flow);
  }
  return game;
}

async function run(game: Game, command: Command): Promise<void> {
  const { subject, model } = game;
  switch (command.kind) {
    case 'request':
      return repeat(command.times ?? 1, () => exchange(game, command.request));
    case 'again':
      return repeat(game.repeatable.length > command.back ? 1 : 0, () =>
        exchange(game, game.repeatable.at(-1 - command.back)!),
      );
    case 'more':
      await readNextPage(game, command.limit);
      return;
    case 'wait':
      await subject.clock.advance(command.ms);
      return model.doDueJobs();
    case 'month':
      await subject.clock.advance(msToNextMonth(subject.clock.now()) - command.before);
      return model.doDueJobs();
    case 'fill':
      return exchange(game, fillUp(game, command.total));
    case 'steal':
      subject.emulator.admin.consumeQuota(command.requests);
      return model.consumeQuota(command.requests);
    case 'account':
      subject.emulator.admin.set(command.settings);
      Object.assign(model.organizations[0], command.settings);
      return;
    case 'person':
      return changePerson(game, command.email, command.status);
    case 'flow':
      return changeAutomation(game, command.flow, command.becomes);
    default:
      return command satisfies never;
  }
}

/** A batch of new people. With it the account would hold this many. */
function fillUp({ model }: Game, total: number): RequestPlan {
  const audiences = liveAudiences(model.organizations[0]);
  const held = audiences.reduce((sum, { people }) => sum + people.size, 0);
  const contacts = numbered(total)
    .filter((email) => !audiences.some(({ people }) => people.has(email)))
    .slice(0, Math.max(0, total - held))
    .map((email) => ({ email }));
  const body = JSON.stringify({ contacts });
  return { method: 'POST', path: '/v1/audiences/{audience:0}/contacts/batch', body, apiKey: 'full' };
}

async function repeat(times: number, action: () => Promise<void>): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await action();
  }
}

const STATUSES = ['draft', 'active', 'paused', 'archived'];

/** Reads all that the API shows, as any other request, and the runs of each automation. */
async function compareEnd(game: Game): Promise<void> {
  await game.subject.clock.advance(120_000);
  await readWhole(game, '/v1/audiences');
  await readWhole(game, '/v1/suppressions');
  for (const status of STATUSES) {
    await read(game, `/v1/automations?status=${status}`);
  }
  for (const { id, people } of game.model.organizations[0].audiences) {
    await read(game, `/v1/audiences/${id}`);
    await readWhole(game, `/v1/audiences/${id}/contacts`);
    for (const email of [...people.keys()].slice(0, 8)) {
      await read(game, `/v1/audiences/${id}/contacts/${encodeURIComponent(email)}?expand=topics`);
    }
  }
  await compareWebhooks(game);
  compareRuns(game);
}

/** Reads each endpoint and its deliveries, also after the last of seven attempts. */
async function compareWebhooks(game: Game): Promise<void> {
  const { subject, model } = game;
  const [own] = model.organizations;
  for (const ms of own.webhooks.length > 0 ? [0, 9 * 3_600_000] : []) {
    await subject.clock.advance(ms);
    model.doDueJobs();
    await readWhole(game, '/v1/webhooks');
    for (const { id } of own.webhooks) {
      await readWhole(game, `/v1/webhooks/${id}/deliveries`);
    }
  }
  compareReceived(game);
}

/** The next month begins at midnight in UTC. */
function msToNextMonth(now: number): number {
  const today = new Date(now);
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1) - now;
}

const read = (game: Game, path: string) => exchange(game, { method: 'GET', path, apiKey: 'full' });

async function readWhole(game: Game, path: string): Promise<void> {
  game.next = undefined;
  await read(game, `${path}?limit=100`);
  let more = true;
  while (more) {
    more = await readNextPage(game, 100);
  }
}

/** The API has no list of enrollments, so they come from the app. */
function compareRuns({ subject, model, bindings }: Game): void {
  for (const { id, runs } of model.organizations[0].flows) {
    const sorted = (all: readonly { email: string; state: string }[]) =>
      all.map(({ email, state }) => `${email} ${state}`).sort();
    const found = sorted(subject.emulator.admin.enrollments(bindings.idOf(id)!));
    const wanted = sorted(runs);
    if (found.join() !== wanted.join()) {
      throw new Error(`runs of ${id}: expected ${wanted}, got ${found}`);
    }
  }
}
