"""Updates of the Debian package from release files with a signature, with a way back."""
