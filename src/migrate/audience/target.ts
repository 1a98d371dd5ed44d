import type { Client } from '../../api/client.ts';
import { getAudience, listAudiences } from '../../api/resources/audiences.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { looseNameKey, shellFlag, terminalSafe } from '../../base/lib/text.ts';
import type { Questioner } from '../../run-lifecycle/data/questioner.ts';
import type { AudienceTarget, TargetOptions } from '../../run-lifecycle/data/run-options.ts';
import { audienceQuestion } from '../../run-lifecycle/stops/questions.ts';
import type { WritingRun } from '../../runs/find/overtaken.ts';
import { type Destination, placeholderAudienceId, type RunHeader } from '../../runs/store/run-header.ts';
import type { Audience } from '../../wire/shapes.ts';
import { audienceLines } from './audience-lines.ts';

export type FoundAudience = Extract<AudienceTarget, { kind: 'found' }>;

interface TargetSource {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Asks the user which audience. Undefined without a terminal. */
  readonly questioner: Pick<Questioner, 'ask'> | undefined;
}

/**
 * Finds the audience by id, by name, or as the only audience of the account. With --create-audience, the result may be
 * an audience to create. If two audiences have the name, that is a usage error (L3), unless a resumed run created one
 * of them.
 */
export async function findTargetAudience(source: TargetSource, target: TargetOptions): Promise<AudienceTarget> {
  if (target.id !== undefined) {
    return { kind: 'found', audience: await getAudience(source.client, target.id, source) };
  }
  const all = await Array.fromAsync(listAudiences(source.client, source));
  return target.name === undefined ? onlyAudience(all, source, target) : findByName(all, target.name, target);
}

/** Like `findTargetAudience`, but throws if the audience does not exist. */
export async function findExistingAudience(source: TargetSource, target: TargetOptions): Promise<FoundAudience> {
  const found = await findTargetAudience(source, target);
  if (found.kind !== 'found') {
    throw new SvcError(EXIT.usage, 'audience', 'there is no such audience', { hint: 'See: svc audiences ls' });
  }
  return found;
}

/**
 * The run as a writer to this audience. Before a run creates its audience, it has `new:` and the name in place of the
 * id. So that text counts as an id of this audience too.
 */
export function writingRunOf({ run, origin, inputs, destination }: RunHeader, audienceId: string): WritingRun {
  return { run, origin, inputs, audienceIds: [audienceId, placeholderAudienceId(destination?.name ?? '')] };
}

export function destinationOf(target: AudienceTarget): Destination {
  return target.kind === 'found'
    ? { kind: 'audience', id: target.audience.id, name: target.audience.name, createdAt: target.audience.created_at }
    : { kind: 'new audience', id: placeholderAudienceId(target.name), name: target.name, createdAt: '' };
}

function findByName(
  all: readonly Audience[],
  name: string,
  { create, mustExist, resumed }: TargetOptions,
): AudienceTarget {
  const hits = all.filter((audience) => audience.name === name);
  if (hits.length > 1) {
    if (create && resumed === 'created') {
      // The run recorded which of these audiences it created, so the name is enough.
      return { kind: 'create', name };
    }
    const choosing = resumed ? 'Choose one by id. Give the first command again, with one of these' : 'Choose one by id';
    throw audienceError(
      `${hits.length} audiences are named "${terminalSafe(name)}"`,
      `${choosing}:\n${audienceLines(hits, { describe: ({ created_at }) => `the one made ${created_at}` })}`,
    );
  }
  const hit = hits[0];
  if (hit) {
    return { kind: 'found', audience: hit };
  }
  const similarNames = all.filter((audience) => looseNameKey(audience.name) === looseNameKey(name));
  if (create && similarNames.length > 0 && !resumed) {
    // The name may be a typing error. A new audience does not know the opt-outs of the existing one, so opted-out
    // people would be signed up again.
    throw audienceError(
      `no audience is named "${terminalSafe(name)}", but one with nearly this name exists`,
      `To write to it:\n${audienceLines(similarNames, { asked: name })}`,
    );
  }
  if (create) {
    return { kind: 'create', name };
  }
  // The name may be a typing error, so the hint names existing audiences first. A new audience would not know any
  // opt-outs.
  const choosing =
    all.length > 0
      ? [
          `Choose one:\n${audienceLines([...similarNames, ...all.filter((one) => !similarNames.includes(one))], { asked: name })}`,
        ]
      : [];
  const creating = `To create it, if it is new:\n${shellFlag('--audience-name', name)} --create-audience`;
  const hint = mustExist || similarNames.length > 0 ? choosing : [...choosing, creating];
  throw audienceError(`no audience is named "${terminalSafe(name)}"`, hint.join('\n') || 'See: svc audiences ls');
}

async function onlyAudience(
  all: readonly Audience[],
  source: TargetSource,
  { mustExist }: TargetOptions,
): Promise<AudienceTarget> {
  const [first, second] = all;
  if (first && !second) {
    return { kind: 'found', audience: first };
  }
  if (!first) {
    const creating = mustExist ? 'svc audiences create Newsletter' : '--audience-name Newsletter --create-audience';
    throw audienceError('the account has no audience yet', `To create one:\n${creating}`);
  }
  const chosen = source.questioner && (await askForAudience(all, source));
  if (chosen) {
    return { kind: 'found', audience: chosen, isChosenByUser: true };
  }
  throw audienceError('the account has several audiences', `Choose one:\n${audienceLines(all)}`);
}

// The question shows the number of contacts for at most this many audiences, because each number costs one request
// (L2).
const MAX_COUNTED = 20;

async function askForAudience(
  all: readonly Audience[],
  { client, signal, questioner }: TargetSource,
): Promise<Audience | undefined> {
  const counted = await Promise.all(
    all.map((audience, index) => (index < MAX_COUNTED ? getAudience(client, audience.id, { signal }) : audience)),
  );
  const flags = await questioner?.ask([audienceQuestion(counted)]);
  return counted.find(({ id }) => flags?.includes(id));
}

function audienceError(message: string, hint: string): SvcError {
  return new SvcError(EXIT.usage, 'audience', message, { hint });
}
