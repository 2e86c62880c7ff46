import t from 'tap';
import { asEither } from '../../../controller/inventory/either.ts';
import type { ActingContext } from '../../../controller/reconcile/context.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { ApiError } from '../../../src/kube/error.ts';
import { stub } from '../../support/stub.ts';

function refusal(code: number, reason: string, by: string): ApiError {
  return new ApiError({ code, reason, message: `says ${by}`, causes: [], name: 'x', about: 'configmaps', retryAfter: undefined });
}
const forbidden = (by: string): ApiError => refusal(403, 'Forbidden', by);

const first = stub<KubeClient>('first', {});
const second = stub<KubeClient>('second', {});

/** What either does: `undefined` is success. */
type Answer = ApiError | undefined;

const ROWS: readonly [title: string, answers: readonly [Answer, Answer], hasOther: boolean, expected: string, asked: number][] = [
  ['who may is the only one who is asked', [undefined, undefined], true, 'done by first', 1],
  ['after a 403 the other one is asked', [forbidden('first'), undefined], true, 'done by second', 2],
  ['if neither may, the first refusal counts', [forbidden('first'), forbidden('second')], true, 'says first', 2],
  ['what is broken for the other one is told', [forbidden('first'), refusal(500, 'InternalError', 'second')], true, 'says second', 2],
  ['where there is no other one, the refusal stands', [forbidden('first'), undefined], false, 'says first', 1],
  ['what is no 403 asks nobody else', [refusal(422, 'Invalid', 'first'), undefined], true, 'says first', 1],
];

for (const [title, answers, hasOther, expected, asked] of ROWS) {
  t.test(title, async (t) => {
    let calls = 0;
    const action = async ({ applier }: ActingContext): Promise<string> => {
      calls++;
      const refused = answers[applier === first ? 0 : 1];
      if (refused !== undefined) throw refused;
      return `done by ${applier === first ? 'first' : 'second'}`;
    };
    const context = { applier: first } as ActingContext;
    const said = await asEither(context, hasOther ? second : undefined, action).catch((error: Error) => error.message);
    t.same([said, calls], [expected, asked]);
  });
}
