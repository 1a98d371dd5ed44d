import { isNode, nameOf, type Visit } from '../module.ts';
import { eachModule, type Rule } from '../rule.ts';

/** Names of interfaces whose values are put together again from layer to layer, in all of src. */
const PASSED_ON = /(?:Context|Run|Batch|BatchSource|Task|Comparison|KeySource|RunQuery)$/;

/** Folders in which the options of a run are passed on too. */
const WITH_OPTIONS = /^src\/(?:migrate|enroll|contacts-check|run-lifecycle|import\/mapping)\//;

/**
 * Layers copy such an object field by field, and can forget an optional field. A required field that may be undefined
 * makes the compiler find the place.
 */
export const noLostFields: Rule = {
  claim: 'contexts and options that layers pass on have no optional field',
  broken: eachModule(['src/'], ({ path, visits }) =>
    path.startsWith('src/emulator/')
      ? []
      : visits
          .filter(({ node }) => node.type === 'TSPropertySignature' || node.type === 'TSMethodSignature')
          .flatMap((visit) => {
            const owner = interfaceOf(visit);
            return visit.node.optional && isPassedOn(path, owner) ? [`${owner}.${nameOf(visit.node.key)}`] : [];
          }),
  ),
  proof: {
    files: {
      'src/migrate/a.ts': 'interface RunContext { readonly a?: string; b?(): void; c: { d?: string } | undefined }',
      'src/contacts-check/b.ts':
        'export interface CheckOptions { readonly e?: string | undefined } interface Other { f?: string }',
      'src/api/c.ts': 'interface CallOptions { readonly g?: string }',
      'src/emulator/d.ts': 'interface Context { readonly h?: string }',
    },
    says: [
      'src/migrate/a.ts: RunContext.a',
      'src/migrate/a.ts: RunContext.b',
      'src/contacts-check/b.ts: CheckOptions.e',
    ],
  },
};

/** The name of the interface to which a field belongs directly, else an empty text. */
function interfaceOf({ above }: Visit): string {
  const owner = above?.above?.node;
  return above?.node.type === 'TSInterfaceBody' && isNode(owner) ? nameOf(owner.id) : '';
}

function isPassedOn(path: string, name: string): boolean {
  return PASSED_ON.test(name) || (WITH_OPTIONS.test(path) && name.endsWith('Options'));
}
