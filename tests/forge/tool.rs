//! Runs the program in a temporary folder.

use std::fs;
use std::process::{Command, Output};

pub use crate::folder::Folder;

impl Folder {
    /// A command line.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forge"));
        command.current_dir(&**self).args(words.split_whitespace());
        command
    }

    fn output(&self, words: &str) -> Output {
        self.command(words).output().expect("the workshop runs")
    }

    /// The output of a successful run.
    pub fn run(&self, words: &str) -> String {
        let output = self.output(words);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}: {complaint}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The standard error of a successful run.
    pub fn warnings(&self, words: &str) -> String {
        let output = self.output(words);
        let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{words}: {warnings}");
        warnings
    }

    /// The one-line error of a failed run.
    pub fn complaint(&self, words: &str) -> String {
        let output = self.output(words);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{words}: {complaint}");
        assert_eq!(complaint.lines().count(), 1, "{words}: {complaint}");
        complaint
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.join(name)).expect("the file can be read")
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.join(name), bytes).expect("the file can be written");
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.join(name)).expect("the file can be removed");
    }

    pub fn has(&self, name: &str) -> bool {
        self.join(name).exists()
    }
}
