import type { Command } from 'commander';
import { addAudiences } from './audiences.ts';
import { addAuth } from './auth.ts';
import { addAutomations } from './automations.ts';
import { addCompletion } from './completion.ts';
import { addContacts } from './contacts.ts';
import { addDoctor } from './doctor.ts';
import { addEmails } from './emails.ts';
import { addEmulator } from './emulator.ts';
import { addExamples } from './examples.ts';
import { addHelp } from './help.ts';
import type { Host } from './invocation.ts';
import { addMcp } from './mcp.ts';
import { addMigrate } from './migrate.ts';
import { addRuns } from './runs.ts';
import { addSuppressions } from './suppressions.ts';
import { addWebhooks } from './webhooks.ts';

/** Every noun of the command line, in the order of the help. A new noun is one file and one line here. */
export const COMMANDS: readonly ((program: Command, host: Host) => void)[] = [
  addMigrate,
  addContacts,
  addSuppressions,
  addAutomations,
  addAudiences,
  addWebhooks,
  addEmails,
  addRuns,
  addDoctor,
  addAuth,
  addEmulator,
  addMcp,
  addCompletion,
  addHelp,
  // Last, because it walks the whole tree.
  addExamples,
];
