import { expect, test } from 'vitest';
import { createInterruption, resumeLineOf } from '../../../../src/base/lib/interruption.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';

const MAIL = '--from news@example.com --to ana@example.com';
const CREATIONS = [
  ['emails send', `emails send ${MAIL} --subject Hi --text hello -v`],
  ['audiences create', 'audiences create Weekly -v'],
  ['webhooks create', 'webhooks create --url https://a.example.com --event email.sent --secret-file s.txt -v'],
  ['doctor', `doctor ${MAIL} --yes -v`],
] as const;

const TO_CONTINUE = /^To continue: svc runs resume run_\w+$/;

/**
 * Runs a command, and calls `onPost` at its POST. `lines` has what svc would print at a second signal, for each event,
 * write and request. `fromPost` has those from the POST on.
 */
async function watch(world: World, line: string, onPost?: (stopper: AbortController) => void) {
  const stopper = new AbortController();
  const lines: (string | undefined)[] = [];
  let posted: number | undefined;
  const note = () => {
    lines.push(resumeLineOf(stopper.signal));
  };
  const options: RunOptions = {
    signal: stopper.signal,
    onEvent: note,
    onWrite: note,
    onWriteToStderr: note,
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        if (request.method === 'POST') {
          posted ??= lines.length;
          onPost?.(stopper);
        }
        note();
        // With --emulator too, the requests go to the service of this test, which knows only its own key.
        const authorization = `Bearer ${world.emulator.apiKey}`;
        const response = await inner.send({ ...request, headers: { ...request.headers, authorization } }, signal);
        note();
        return response;
      },
    }),
  };
  const { code } = await world.svc(line, options);
  return { code, lines, fromPost: lines.slice(posted), atEnd: resumeLineOf(stopper.signal) };
}

const interrupt = (stopper: AbortController) => stopper.abort(createInterruption('SIGINT'));

async function slowWorld(): Promise<World> {
  const world = await createWorld({ plan: 'paid' });
  world.emulator.admin.addFault({ kind: 'slow', ms: 60_000, when: 'after', match: { route: 'POST *' } });
  return world;
}

test.each(CREATIONS)('after the POST of %s, a second signal prints how to continue (D1, D4)', async (_, line) => {
  const world = await createWorld({ plan: 'paid' });
  const { code, lines, fromPost, atEnd } = await watch(world, line);
  expect([code, lines[0], atEnd]).toEqual([0, undefined, undefined]);
  expect(fromPost.length).toBeGreaterThan(2);
  // `doctor` prints its report after the creation has ended. The other commands print their result before that.
  const lasting = fromPost.slice(0, line.startsWith('doctor') ? -1 : undefined);
  expect(lasting).toEqual(lasting.map(() => expect.stringMatching(TO_CONTINUE)));
});

test.each(CREATIONS)('without a response to %s, two signals print how to continue (D1, D4)', async (_, line) => {
  const world = await slowWorld();
  const stopped = await watch(world, line, interrupt);
  expect([stopped.code, stopped.atEnd]).toEqual([130, expect.stringMatching(TO_CONTINUE)]);
  const [run] = (await world.svc('runs ls --json')).json;
  expect(stopped.atEnd).toContain(run.run);
  world.emulator.admin.clearFaults();
  const resumed = await watch(world, `runs resume ${run.run} -v`);
  expect([resumed.code, resumed.atEnd]).toEqual([0, undefined]);
  // The first write comes before svc reads which run to resume.
  const [, ...lines] = resumed.lines;
  expect(lines.length).toBeGreaterThan(3);
  expect(lines).toEqual(lines.map(() => stopped.atEnd));
});

test.each(CREATIONS)('%s does not say how to continue once the service refused it (D1)', async (_, line) => {
  const world = await createWorld({ plan: 'paid' });
  world.refuse('POST *', { status: 403, code: 'plan_limit_reached' });
  const { code, lines, atEnd } = await watch(world, line);
  expect([code > 0, lines.at(-1), atEnd]).toEqual([true, undefined, undefined]);
});

test.each(
  CREATIONS.flatMap(([name, line]) => [
    [name, 'with --json', `${line} --json`],
    [name, 'beside a temporary emulator', `${line} --emulator`],
  ]),
)('%s prints no resume command at a second signal %s (D1)', async (_name, _how, line) => {
  const { code, atEnd, lines } = await watch(await slowWorld(), line, interrupt);
  expect([code, atEnd]).toEqual([130, undefined]);
  expect(new Set(lines)).toEqual(new Set([undefined]));
});
