import type { Finding } from '../../import/types.ts';
import { audience } from './audience.ts';
import { automations } from './automations.ts';
import { failures } from './failures.ts';
import { key } from './key.ts';
import type { Known } from './known.ts';
import { newFields } from './new-fields.ts';
import { planCap } from './plan-cap.ts';

/** Every check of a plan beyond those that the reading of the list made itself. A new check is one line here. */
const CHECKS: readonly ((known: Known) => Finding)[] = [key, audience, failures, newFields, automations, planCap];

/** All findings of the list and of the account, stops first. */
export function runChecks(known: Known): Finding[] {
  const findings = [...known.survey.findings, ...CHECKS.map((check) => check(known))];
  const order = ['stop', 'warn', 'pass', 'skipped'];
  return findings.sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}
