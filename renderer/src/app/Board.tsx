import { lazy, Suspense } from 'react';

const BoardPage = lazy(async () => {
  const { BoardPage: component } = await import('../features/board/BoardPage.tsx');
  return { default: component };
});

/** The wall board, instead of the window. It uses the session of its link, not that of a person. */
export function Board() {
  return (
    <Suspense>
      <BoardPage />
    </Suspense>
  );
}
