import type { FaultRule } from '../../../../src/emulator/faults/fault.ts';
import { type PreparedWorld, type Scenario, smallWorld, testFailingReads } from './failing-reads.ts';

const LIST = 'email,first_name,status\nnia@example.com,Nia,subscribed\nben@example.com,Ben,bounced\n';
const LOST: FaultRule = { kind: 'reset', when: 'after', match: { route: 'POST *' } };
const BROKEN: FaultRule = { ...LOST, kind: 'error', status: 500, code: 'internal_error', when: 'before' };

/** A run that ended early, because of this fault. */
async function stopped(line: string, fault: FaultRule): Promise<PreparedWorld> {
  const world = await smallWorld();
  world.file('list.csv', LIST);
  world.emulator.admin.createAutomation({ name: 'Welcome' });
  world.emulator.admin.addFault(fault);
  await world.svc(line);
  world.emulator.admin.clearFaults();
  return world;
}

function resumeOf(line: string, fault: FaultRule): Scenario {
  return { title: `runs resume, of ${line}`, prepare: () => stopped(line, fault), line: () => 'runs resume' };
}

/** Completes the last word. The key is bound to its service, because svc would read nothing otherwise. */
function complete(words: string): Scenario {
  return {
    title: `__complete -- ${words}`,
    prepare: async () => {
      const world = await smallWorld();
      world.emulator.admin.createAutomation({ name: 'Welcome' });
      await world.svc('webhooks create --url https://hooks.example.com/ --event email.sent --secret-file secret');
      return world;
    },
    line: () => ['__complete', '--', ...words.split(' '), ''],
    run: () => ({ env: { SVC_API_KEY_ORIGIN: 'https://mail.example.test' } }),
  };
}

testFailingReads('resumes', [
  resumeOf('suppressions import list.csv', BROKEN),
  resumeOf('audiences create News', LOST),
  resumeOf('webhooks create --url https://hooks.example.com/ --event email.sent --secret-file secret', LOST),
  resumeOf('emails send --from me@example.com --to ana@example.org --subject Hi --text Hi', LOST),
  complete('automations enroll'),
  complete('webhooks get'),
]);
