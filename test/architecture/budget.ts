import { linesOf, type Module, type Node } from './module.ts';
import type { Rule } from './rule.ts';

/** At most so many lines for half of them, and for all but a twentieth. */
interface Budget {
  readonly median: number;
  readonly p95: number;
}

const FILE_BUDGET: Budget = { median: 80, p95: 200 };
const FUNCTION_BUDGET: Budget = { median: 10, p95: 40 };

export const smallFiles: Rule = {
  claim: `half of the files have at most ${FILE_BUDGET.median} lines, 95 % at most ${FILE_BUDGET.p95}`,
  broken: (modules) =>
    overBudget(
      sourcesOf(modules).map(({ lines }) => lines),
      FILE_BUDGET,
    ),
  proof: { files: { 'src/a.ts': '\n'.repeat(81), 'src/b.ts': '\n'.repeat(201) }, says: ['median 81', 'p95 201'] },
};

export const smallFunctions: Rule = {
  claim: `half of the functions have at most ${FUNCTION_BUDGET.median} lines, 95 % at most ${FUNCTION_BUDGET.p95}`,
  broken: (modules) => overBudget(sourcesOf(modules).flatMap(functionLines), FUNCTION_BUDGET),
  proof: {
    files: { 'src/a.ts': `function f() {${'\n'.repeat(10)}} const g = () => {${'\n'.repeat(40)}};` },
    says: ['median 11', 'p95 41'],
  },
};

function sourcesOf(modules: readonly Module[]): readonly Module[] {
  return modules.filter(({ path }) => path.startsWith('src/'));
}

function functionLines({ visits, text }: Module): number[] {
  return visits
    .filter(({ node }) => isFunction(node))
    .map(({ node }) => linesOf(text.slice(startOf(node), endOf(node))));
}

function isFunction({ type, body }: Node): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type) && Boolean(body);
}

function startOf(node: Node): number {
  return Number(node.start);
}

function endOf(node: Node): number {
  return Number(node.end);
}

function overBudget(sizes: readonly number[], budget: Budget): string[] {
  const sorted = [...sizes].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return [
    ...(at(0.5) > budget.median ? [`median ${at(0.5)}`] : []),
    ...(at(0.95) > budget.p95 ? [`p95 ${at(0.95)}`] : []),
  ];
}
