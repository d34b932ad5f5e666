import { lazy, Suspense } from 'react';

const BoardPage = lazy(async () => {
  const { BoardPage: component } = await import('../features/board/BoardPage.tsx');
  return { default: component };
});

/** The wall board, shown instead of the app's frame. Uses the session of the screen's link, not a person's session. */
export function Board() {
  return (
    <Suspense>
      <BoardPage />
    </Suspense>
  );
}
