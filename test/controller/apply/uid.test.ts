import t from 'tap';
import { isUidMismatch } from '../../../controller/apply/uid.ts';
import { type ApiCause, ApiError } from '../../../src/kube/error.ts';

const refusal = (code: number, reason: string, message: string, causes: readonly ApiCause[] = []): ApiError =>
  new ApiError({ code, reason, message, causes, name: 'one', about: 'pumps', retryAfter: undefined });

const UID = { type: 'FieldValueInvalid', field: 'metadata.uid', message: 'field is immutable' };

const rows: readonly [title: string, error: ApiError, expected: boolean][] = [
  ['an object that is missing is a conflict', refusal(409, 'Conflict', 'uid mismatch: the provided object specified uid u1'), true],
  ['one that was made anew is invalid', refusal(422, 'Invalid', 'metadata.uid: Invalid value', [UID]), true],
  ['another mistake is none of the UID', refusal(422, 'Invalid', 'spec: Invalid value', [{ ...UID, field: 'spec' }]), false],
  [
    'nor is what a webhook refuses by this code',
    refusal(409, 'Conflict', 'admission webhook "w.example.com" denied the request: no'),
    false,
  ],
];
for (const [title, error, expected] of rows) t.test(title, async (t) => t.equal(isUidMismatch(error), expected));
