import { linesOf, type Module, type Node } from '../module.ts';
import type { Rule } from '../rule.ts';

/** 95 % of the files and of the functions have at most this many lines. */
const FILE_LINES = 200;
const FUNCTION_LINES = 40;

export const smallFiles: Rule = {
  claim: `95 % of the files have at most ${FILE_LINES} lines`,
  broken: (modules) =>
    overLimit(
      sourcesOf(modules).map(({ lines }) => lines),
      FILE_LINES,
    ),
  proof: { files: { 'src/a.ts': '\n'.repeat(81), 'src/b.ts': '\n'.repeat(201) }, says: ['p95 201'] },
};

export const smallFunctions: Rule = {
  claim: `95 % of the functions have at most ${FUNCTION_LINES} lines`,
  broken: (modules) => overLimit(sourcesOf(modules).flatMap(functionLines), FUNCTION_LINES),
  proof: {
    files: { 'src/a.ts': `function f() {${'\n'.repeat(10)}} const g = () => {${'\n'.repeat(40)}};` },
    says: ['p95 41'],
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

function overLimit(sizes: readonly number[], limit: number): string[] {
  const sorted = [...sizes].sort((a, b) => a - b);
  const p95 = sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? 0;
  return p95 > limit ? [`p95 ${p95}`] : [];
}
