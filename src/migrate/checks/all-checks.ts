import type { Finding } from '../../import/survey/finding.ts';
import { audience, importedBefore, key, newFields, planCap, topics } from './account.ts';
import { automations } from './automations.ts';
import type { CheckContext } from './check-context.ts';
import { failures, unreadOptOuts } from './failures.ts';
import { gone, onlyChanged } from './only-changed.ts';
import { missingReason, nothingSuppressed, notSuppressed } from './suppressions.ts';

/** Every check of a plan, besides those of the survey. A new check is one line here. */
const CHECKS: readonly ((context: CheckContext) => Finding | readonly Finding[])[] = [
  notSuppressed,
  nothingSuppressed,
  key,
  audience,
  failures,
  newFields,
  topics,
  automations,
  planCap,
  importedBefore,
  onlyChanged,
  gone,
];

export function runChecks(context: CheckContext): Finding[] {
  const ofList = context.survey.findings.map((finding) => missingReason(finding, context.options, context.survey));
  const [first, others] = [ofList.filter(isAboutLeavers), ofList.filter((finding) => !isAboutLeavers(finding))];
  return inOrder([...unreadOptOuts(context), ...first, ...others, ...CHECKS.flatMap((check) => check(context))]);
}

// True for warnings about inputs without a state. They come first, because a short plan shows only the first warnings.
function isAboutLeavers({ check, level }: Finding): boolean {
  return check === 'no_status' && level === 'warn';
}

export function inOrder(findings: readonly Finding[]): Finding[] {
  const order = ['stop', 'warn', 'pass', 'skipped'];
  return findings.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}
