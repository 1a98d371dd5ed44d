import { listAudiences } from '../../api/resources/audiences.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { joinAtMost, shellFlag, shellWord, terminalSafe } from '../../base/lib/text.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { SAME_NAME_CODE } from '../../run-lifecycle/end/next-steps.ts';
import type { Audience } from '../../wire/shapes.ts';

/**
 * The name of a note in run.db, equal to the error code. The note is true until a report shows the error to the user.
 */
const SAME_NAME_NOTE = SAME_NAME_CODE;

type Recorder = Pick<WriteContext, 'journal'>;

/**
 * Records that no report has shown the error about the shared name yet. Called before the audience is recorded. If svc
 * is killed between the two, a resume looks for other audiences again. If svc is killed later, but before the report, a
 * resume throws the error and sends nothing (L3).
 */
export function recordSameName({ journal }: Recorder): void {
  journal.writeNote(SAME_NAME_NOTE, true);
}

/** Throws the error about the shared name, if no report showed it yet and other audiences still have this name. */
export async function refuseUnreportedSameName(context: WriteContext, audience: Audience): Promise<void> {
  if (context.journal.readNote(SAME_NAME_NOTE) !== true) {
    return;
  }
  const others = await findOthersOfName(context, audience);
  if (others.length > 0) {
    throw sameNameError(context, audience, others);
  }
  context.journal.writeNote(SAME_NAME_NOTE, undefined);
}

/** Called once the report has the error. The user has seen it, so a resume may send to the new audience. */
export function forgetReportedSameName({ journal }: Recorder, code: string | undefined): void {
  if (code === SAME_NAME_CODE) {
    journal.writeNote(SAME_NAME_NOTE, undefined);
  }
}

/** Finds other audiences with the name of this audience. Another machine may have created one at the same time (L3). */
export async function findOthersOfName(
  { client, signal }: Pick<WriteContext, 'client' | 'signal'>,
  { id, name }: Pick<Audience, 'id' | 'name'>,
): Promise<Audience[]> {
  const all = await Array.fromAsync(listAudiences(client, { signal }));
  return all.filter((audience) => audience.id !== id && audience.name === name);
}

/**
 * The error for a new audience whose name other audiences have too. The hint names the oldest audience, which is the
 * same one on each machine. Otherwise two machines could write to two audiences, or each could delete the other's
 * audience.
 */
export function sameNameError(
  { journal: { run }, commandWith }: Pick<WriteContext, 'journal' | 'commandWith'>,
  created: Audience,
  others: readonly Audience[],
): SvcError {
  const oldest = others.reduce((older, other) => (isOlder(other, older) ? other : older), created);
  const list = joinAtMost(
    others.map(({ id, created_at }) => `${terminalSafe(id)} (made ${terminalSafe(created_at)})`),
    3,
  );
  const name = terminalSafe(created.name);
  const message = `nothing was sent: ${others.length + 1} audiences are named "${name}" now, the new ${terminalSafe(created.id)} and ${list}`;
  const resume = `svc runs resume ${run}`;
  const flag = `--audience ${shellWord(oldest.id)}`;
  const hint =
    oldest === created
      ? ['Use the same audience on each machine, preferably the oldest: here the new one. To send to it:', resume]
      : [
          'Use the same audience on each machine, preferably the oldest. To send to it:',
          commandWith?.(flag) ?? `the same command with ${flag}`,
          'Then remove the new one, and this run:',
          `svc audiences delete ${shellWord(created.id)} ${shellFlag('--confirm', created.name)}`,
          `svc runs delete ${run}`,
          'To send to the new one instead:',
          resume,
        ];
  return new SvcError(EXIT.stopped, SAME_NAME_CODE, message, { hint: hint.join('\n') });
}

/** True if `a` is older than `b`. At equal times the ids decide, so that all machines name the same audience. */
function isOlder(a: Audience, b: Audience): boolean {
  const [first, second] = [Date.parse(a.created_at), Date.parse(b.created_at)];
  return first === second ? a.id < b.id : first < second;
}
