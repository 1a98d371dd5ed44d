/** What nearly every command that speaks to an account needs: one chunk of the bundle, see lean.ts. */
import '../src/commands/framework/output/print.ts';
import '../src/commands/framework/settings/with-account.ts';
import '../src/render/text/object.ts';
