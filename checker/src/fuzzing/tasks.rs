//! Fuzz targets: task and property files. No file is opened: every property file that a task names has the
//! same content.

use std::path::Path;

use crate::property::Property;
use crate::task::{self, TaskError};

/// The content of the property files.
const PROPERTY_FILE: &str = "CHECK( init(main()), LTL(G valid-free) )\n";

/// Reads bytes as a task, both with and without an option that names a property.
pub fn task(bytes: &[u8]) {
    let Ok(input) = std::str::from_utf8(bytes) else { return };
    let path = Path::new("directory/task.yml");
    let read = |file: &Path| Ok::<_, TaskError>(if file == path { input } else { PROPERTY_FILE }.to_owned());
    for wanted in [None, Some(Property::default()), PROPERTY_FILE.parse().ok()] {
        if let Err(error) = task::read_with(&read, path, wanted) {
            assert!(error.to_string().starts_with("directory/"), "the file is named: {error}");
        }
    }
}

/// Reads bytes as a property file.
///
/// # Panics
/// If the specification of a property is read as another property: a defect.
pub fn property(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(property) = Property::from_file_text(text) {
        let again = Property::from_file_text(&property.specification()).ok();
        assert_eq!(again, Some(property), "its specification is another property");
        assert_eq!(property.to_string().parse().ok(), Some(property), "its name is another property's");
    }
}
