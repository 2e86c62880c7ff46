/** The parts of undici that are used. Its index loads fetch, WebSocket, caches and mocks too: 13 MiB more where nothing else is loaded. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export default buildConnector;
}

/** undici's index gives it to all dispatchers as a method; a pool that comes without the index has none. */
declare module 'undici/lib/api/api-request.js' {
  import { Dispatcher } from 'undici';
  export default function request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
}
