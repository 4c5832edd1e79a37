//! A file that is downloaded: its pieces are made as fast as they are fetched.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame};
use tokio::sync::mpsc;

use crate::coach::Sink;

/// The most pieces that wait for a slow reader.
const MOST_WAITING: usize = 16;

type Piece = Result<Bytes, String>;

/// An incomplete file ends with an error, so that a browser does not take it for a whole one.
pub struct Download {
    first: Option<Bytes>,
    rest: mpsc::Receiver<Piece>,
}

impl Download {
    /// Waits for the first piece of what `begin` hands over. An error in its place is returned.
    pub async fn begin(begin: impl FnOnce(Sink) -> Result<(), String>) -> Result<Download, String> {
        let (sender, mut rest) = mpsc::channel::<Piece>(MOST_WAITING);
        begin(Box::new(move |piece| sender.blocking_send(piece.map(Bytes::from)).is_ok()))?;
        let first = rest.recv().await.transpose()?;
        Ok(Download { first, rest })
    }
}

impl Body for Download {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        let piece = self.rest.poll_recv(context);
        piece.map(|piece| piece.map(|piece| piece.map(Frame::data).map_err(io::Error::other)))
    }
}
