/** Creates a counter of the exchanges with the broker that are in progress. */
export function createExchanges() {
  let underWay = 0;
  return {
    async counted<T>(exchange: () => Promise<T>): Promise<T> {
      underWay += 1;
      try {
        return await exchange();
      } finally {
        underWay -= 1;
      }
    },
    idle: (): boolean => underWay === 0,
  };
}
