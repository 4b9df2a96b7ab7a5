"""The kinds of slip that pay winners: each module holds one, whole."""
