import { checkAddress, checkId } from '../../api/resources/ids.ts';
import { badUsage } from '../../base/lib/errors.ts';
import type { EnrollOptions } from '../../enroll/options.ts';
import type { Invocation } from '../framework/invocation.ts';
import { checkStdinOnce } from '../framework/stdin.ts';
import type { ImportFlags } from './import-flags.ts';
import { failureLimit, readingOptions } from './import-options.ts';

/** Flags of `automations enroll`, in commander's camelCase. */
export interface EnrollFlags extends Omit<ImportFlags, 'verify' | 'verifySample'> {
  readonly email?: readonly string[];
  readonly createContacts?: boolean;
  readonly atMostOnce?: boolean;
  readonly reenroll?: boolean;
}

/** Makes options of flags. The first argument is the automation, the others are inputs. */
export function enrollOptions({
  args,
  flags,
  settings,
}: Pick<Invocation<EnrollFlags>, 'args' | 'flags' | 'settings'>): EnrollOptions {
  const [automationId = '', ...inputs] = args;
  checkStdinOnce(settings, inputs);
  const emails = (flags.email ?? []).map((email) => checkAddress(email.trim().toLowerCase()));
  if (inputs.length + emails.length === 0) {
    throw badUsage('no person to enroll was given', 'Give a file, "-", or --email <address>.');
  }
  return {
    command: 'automations enroll',
    automationId: checkId('automation', automationId),
    inputs,
    emails,
    reading: readingOptions(flags),
    createContacts: flags.createContacts === true,
    atMostOnce: flags.atMostOnce === true,
    reenroll: flags.reenroll === true,
    allowAutomations: (flags.allowAutomation ?? []).map((id) => checkId('automation', id)),
    maxNewFields: flags.maxNewFields,
    maxFailures: failureLimit(flags.maxFailures),
    // The plan is known only for the embedded emulator.
    plan: settings.plan.value ?? (settings.emulator ? 'paid' : undefined),
    concurrency: flags.concurrency,
    dryRun: flags.dryRun === true,
  };
}
