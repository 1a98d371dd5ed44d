import type { FailureLimit, ImportOptions, RunOptions } from '../../run-lifecycle/data/run-options.ts';

/** The command name in the run header of an enrollment. */
export const ENROLL_COMMAND = 'automations enroll';

/** Everything that decides what an enrollment does. */
export interface EnrollOptions extends RunOptions {
  readonly command: typeof ENROLL_COMMAND;
  readonly automationId: string;
  /** Addresses of --email, in canonical form. */
  readonly emails: readonly string[];
  /** --create-contacts: writes the people as contacts of the automation's audience before they are enrolled. */
  readonly createContacts: boolean;
  /** --at-most-once: never repeats a request with an unknown outcome. */
  readonly atMostOnce: boolean;
  /** --reenroll: also enrolls people whom an earlier run enrolled, with new idempotency keys. */
  readonly reenroll: boolean;
  readonly allowAutomations: readonly string[];
  readonly maxNewFields: number;
  readonly maxFailures: FailureLimit;
  readonly plan: 'free' | 'paid' | undefined;
  readonly concurrency: number;
}

export function contactOptions(options: EnrollOptions, audienceId: string | undefined): ImportOptions {
  const { inputs, reading, automationId, maxNewFields, maxFailures, plan, concurrency, dryRun } = options;
  return {
    command: 'contacts import',
    inputs,
    reading,
    target: { id: audienceId, name: undefined, create: false, mustExist: undefined, resumed: undefined },
    // The automation to enroll in can't be allowed: if it also started when people join, it would mail them twice (M3).
    allowAutomations: options.allowAutomations.filter((id) => id !== automationId),
    explicitStatus: false,
    maxNewFields,
    maxFailures,
    plan,
    concurrency,
    verify: false,
    verifySample: 0,
    dryRun,
    again: options.reenroll,
    changes: undefined,
    batchSize: undefined,
  };
}
