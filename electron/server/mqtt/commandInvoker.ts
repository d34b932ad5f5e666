/** A response as over HTTP. `body` is the problem document if the request was refused. */
export type Invoked = { status: number; body: unknown };
/** Carries out requests like the REST API. */
export type Invoker = {
  /** Parses the body of a request. Throws a StationError if the text is invalid. */
  read(text: string): unknown;
  /** Starts an operation in the same turn of the event loop. Never rejects. */
  invoke(
    operationId:
      | 'sendToDevice'
      | 'sendToDevices'
      | 'addOrder'
      | 'launchOrder'
      | 'launchSequence'
      | 'getDevice'
      | 'getOrder'
      | 'getSequence',
    request: { params?: Readonly<Record<string, string>>; body?: unknown },
  ): Promise<Invoked>;
};
